/**
 * Kafka brokers and Connect workers, and clients for both. Tests and benchmarks call it; it imports no other kind of
 * server.
 */
package io.tidegate.connect.testkit.kafka;
