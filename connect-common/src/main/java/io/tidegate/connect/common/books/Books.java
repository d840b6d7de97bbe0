package io.tidegate.connect.common.books;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The statements by which a server's books are read and changed; each is done as a whole or not at all.
 *
 * @param <X> the server's error
 */
public interface Books<X extends Exception> {
    /** The partitions that the books know, taken from their owners. */
    Map<TopicPartition, BookEntry> claimKnown(Collection<TopicPartition> partitions) throws X;

    /** All of these partitions, taken from their owners; one that the books do not know begins at its offset. */
    Map<TopicPartition, BookEntry> claim(Map<TopicPartition, Long> firstOffsets) throws X;

    /** Reads again, without taking anything. */
    Map<TopicPartition, BookEntry> read(Collection<TopicPartition> partitions) throws X;

    /**
     * Raises the next offset of each entry that is as expected.
     *
     * @return how many were
     */
    int raise(Collection<Move> moves) throws X;

    /**
     * A change of one entry.
     *
     * @param present what its generation and next offset have to be
     */
    record Move(TopicPartition partition, BookEntry present, long nextOffset) {}
}
