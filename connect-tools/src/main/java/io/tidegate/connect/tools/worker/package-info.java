/**
 * Connect's workers seen from outside: a connector on them, their metrics over JMX, and plugins fetched for them. The benchmarks
 * call it; it knows no measurement, and imports only the testkit, the stores' probes and this module's errors.
 */
package io.tidegate.connect.tools.worker;
