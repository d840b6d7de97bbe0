/**
 * Real servers for tests and measurements, as child processes or of another kind that the class path offers: {@link
 * io.tidegate.connect.testkit.Servers} gives them out. Tests, the quickstart and the benchmarks call it; it imports
 * neither the core nor a sink.
 */
package io.tidegate.connect.testkit;
