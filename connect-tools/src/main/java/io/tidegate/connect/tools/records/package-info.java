/**
 * Records of topics as Kafka has them, and what the sink's task gets of them after converters and transforms. Commands
 * call it.
 */
package io.tidegate.connect.tools.records;
