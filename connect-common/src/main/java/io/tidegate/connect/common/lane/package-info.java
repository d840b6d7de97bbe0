/**
 * A lane: its queue, its gate and the batches that it forms. The task gives documents to {@link
 * io.tidegate.connect.common.lane.Lane} and revokes partitions; the lane's thread calls {@code delivery}. It must not
 * import {@code task}.
 */
package io.tidegate.connect.common.lane;
