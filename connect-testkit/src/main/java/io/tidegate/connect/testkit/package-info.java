/**
 * Real servers for tests and measurements, as child processes or as another kind from the class path. The entry point
 * is {@link io.tidegate.connect.testkit.Servers}. Tests, the quickstart and the benchmarks call this package; it
 * imports neither the core nor a sink.
 */
package io.tidegate.connect.testkit;
