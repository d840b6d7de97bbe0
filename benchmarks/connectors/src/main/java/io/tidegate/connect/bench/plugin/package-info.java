/** Connectors of the benchmark's own, which run in the worker: nothing but Kafka's classes is there beside them. */
package io.tidegate.connect.bench.plugin;
