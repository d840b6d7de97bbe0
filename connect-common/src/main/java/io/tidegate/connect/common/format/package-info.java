/**
 * The second of three steps that a record takes before it becomes a document: turns values that are not JSON, such as Avro, into JSON by their schemas. {@code frame}
 * finds the schema's id and the payload before; {@code envelope} reads change events from the JSON afterwards. The module
 * that decodes a format is found as a service, only if a connector asks for it. The task thread uses it.
 */
package io.tidegate.connect.common.format;
