/**
 * Writes batches: cuts them into groups, sends each as one statement, and finds the rows at fault. The core's delivery
 * calls {@link io.tidegate.connect.jsonb.write.PostgresWriter} from a lane's thread. This package never retries. Only
 * the root package and {@code trial} may import it.
 */
package io.tidegate.connect.jsonb.write;
