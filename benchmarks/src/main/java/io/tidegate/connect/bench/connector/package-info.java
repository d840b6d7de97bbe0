/**
 * The connectors that the files in {@code benchmarks/sinks} and {@code benchmarks/peers} describe, and their plugins.
 * Commands and measurements use this package; it must not import packages that measure.
 */
package io.tidegate.connect.bench.connector;
