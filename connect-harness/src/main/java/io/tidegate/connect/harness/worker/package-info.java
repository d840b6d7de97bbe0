/**
 * Kafka Connect workers: their connectors, their metrics over JMX, and plugins for them. The benchmarks call this
 * package. It imports only the testkit, the stores' probes and this module's errors.
 */
package io.tidegate.connect.harness.worker;
