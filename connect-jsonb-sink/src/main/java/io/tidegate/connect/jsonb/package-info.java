/**
 * The sink for PostgreSQL as Connect sees it: the connector, the task, and the target type that opens a {@link
 * io.tidegate.connect.jsonb.write.PostgresWriter} for each lane. Connect and the core call it. No other package of this
 * sink may import it.
 */
package io.tidegate.connect.jsonb;
