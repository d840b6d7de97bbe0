package io.tidegate.connect.common.recovery;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The statements that read and change the offsets that a server keeps. Each is carried out as a whole or not at all.
 *
 * @param <X> the server's error
 */
public interface OffsetStore<X extends Exception> {
    /** Claims the partitions that the server knows, and returns their offsets. Their former owners lose them. */
    Map<TopicPartition, StoredOffset> claimKnown(Collection<TopicPartition> partitions) throws X;

    /**
     * Claims all of these partitions from their owners. A partition that the server does not know starts at its offset.
     */
    Map<TopicPartition, StoredOffset> claim(Map<TopicPartition, Long> firstOffsets) throws X;

    /** Reads the offsets again without claiming them. */
    Map<TopicPartition, StoredOffset> read(Collection<TopicPartition> partitions) throws X;

    /**
     * Raises each next offset that is as expected.
     *
     * @return how many were as expected
     */
    int raise(Collection<Move> moves) throws X;

    /**
     * A change of one offset.
     *
     * @param present what is expected: its generation and next offset must match
     */
    record Move(TopicPartition partition, StoredOffset present, long nextOffset) {}
}
