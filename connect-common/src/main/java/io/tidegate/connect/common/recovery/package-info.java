/**
 * Where each partition of a task stands, and how it goes on after a rebalance, a failover, or a failed {@code put}. {@link
 * io.tidegate.connect.common.recovery.AssignedPartition} is the state of one partition, on the task thread. {@link
 * io.tidegate.connect.common.recovery.OwnedOffsets} is what a lane knows of the offsets that the server keeps. The sinks
 * provide the statements.
 */
package io.tidegate.connect.common.recovery;
