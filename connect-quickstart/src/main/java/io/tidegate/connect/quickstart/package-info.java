/**
 * {@code ./quickstart}: the whole pipeline on real servers. Only the main class is used from outside. It must not
 * import the benchmarks or the sinks, because the worker loads the sinks as plugins.
 */
package io.tidegate.connect.quickstart;
