/**
 * Kafka brokers and Connect workers, and clients for both. Tests and benchmarks call this package; it imports no other
 * kind of server.
 */
package io.tidegate.connect.testkit.kafka;
