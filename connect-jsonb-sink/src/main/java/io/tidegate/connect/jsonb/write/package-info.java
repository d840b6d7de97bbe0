/**
 * Writes batches: cuts them into groups, sends each as one statement, and finds the rows at fault. The core's delivery
 * calls {@link io.tidegate.connect.jsonb.write.PostgresWriter} from a lane's thread. It never retries, and no package but
 * the root may import it.
 */
package io.tidegate.connect.jsonb.write;
