/**
 * Avro of a schema registry as JSON, without a value in between: {@code PlanCompiler} makes a plan of each schema, and the
 * plan goes once over the binary encoding and writes UTF-8. The core finds {@code AvroDecoders} as a service, only if a
 * connector says {@code value.format=avro}. The task thread uses it. No sink may be imported here.
 */
package io.tidegate.connect.avro;
