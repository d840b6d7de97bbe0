/**
 * The benchmarks' own connectors: a source that generates a load, and a sink that does nothing. Workers load them as a
 * plugin; this package may import only Connect's API and {@code load}.
 */
package io.tidegate.connect.bench.plugin;
