/**
 * The sink for PostgreSQL as Connect sees it: connector, task, and the kind of target that opens a {@link
 * io.tidegate.connect.jsonb.write.PostgresWriter} for each lane. Connect and the core call it; no other package of this
 * sink may import it.
 */
package io.tidegate.connect.jsonb;
