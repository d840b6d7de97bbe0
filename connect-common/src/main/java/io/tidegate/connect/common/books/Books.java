package io.tidegate.connect.common.books;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The statements that read and change the server's books. Each is carried out as a whole or not at all.
 *
 * @param <X> the server's error
 */
public interface Books<X extends Exception> {
    /** Claims the partitions that the books know, and returns their entries. Their former owners lose them. */
    Map<TopicPartition, BookEntry> claimKnown(Collection<TopicPartition> partitions) throws X;

    /**
     * Claims all of these partitions from their owners. A partition that the books do not know starts at its offset.
     */
    Map<TopicPartition, BookEntry> claim(Map<TopicPartition, Long> firstOffsets) throws X;

    /** Reads the entries again without claiming them. */
    Map<TopicPartition, BookEntry> read(Collection<TopicPartition> partitions) throws X;

    /**
     * Raises the next offset of each entry that is as expected.
     *
     * @return how many entries were as expected
     */
    int raise(Collection<Move> moves) throws X;

    /**
     * A change of one entry.
     *
     * @param present the entry that is expected: its generation and next offset must match
     */
    record Move(TopicPartition partition, BookEntry present, long nextOffset) {}
}
