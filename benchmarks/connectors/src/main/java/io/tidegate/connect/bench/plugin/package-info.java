/**
 * The benchmarks' own connector: a sink that does nothing. Workers load it as a plugin; this package may import only
 * Connect's API.
 */
package io.tidegate.connect.bench.plugin;
