/**
 * The forms that values have in Kafka, such as Avro or Debezium's change events, and what a worker needs for each: topic,
 * settings, a registry, plugins. The benchmarks call this package. It imports the records' sources and Maven's plugins.
 */
package io.tidegate.connect.bench.form;
