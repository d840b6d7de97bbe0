/**
 * Kafka Connect workers from the outside: a connector on them, their metrics over JMX, and plugins for them. The
 * benchmarks call this package. It knows no measurement and imports only the testkit, the stores' probes and this
 * module's errors.
 */
package io.tidegate.connect.tools.worker;
