/**
 * What {@code ./tidegate try} asks PostgreSQL: the sink's own writer in a transaction that is rolled back. No task uses it. Only
 * the root package may import it.
 */
package io.tidegate.connect.jsonb.trial;
