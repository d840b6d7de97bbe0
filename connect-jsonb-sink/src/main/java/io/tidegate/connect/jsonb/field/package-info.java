/**
 * Turns the first-level fields of documents into values of typed columns. {@link io.tidegate.connect.jsonb.field.FieldCells}
 * parses a document once and encodes its fields in PostgreSQL's binary formats. Only {@code sql} and {@code write} may
 * import this package.
 */
package io.tidegate.connect.jsonb.field;
