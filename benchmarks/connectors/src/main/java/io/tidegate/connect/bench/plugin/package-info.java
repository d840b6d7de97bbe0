/**
 * The benchmarks' own connectors: a source that sends a load with a shape, and a sink that does nothing. Workers load them as a
 * plugin; they must import only Connect's API and {@code load}.
 */
package io.tidegate.connect.bench.plugin;
