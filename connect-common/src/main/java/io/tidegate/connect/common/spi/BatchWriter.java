package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Writes batches to a server, one attempt each. One lane's thread uses it, but for {@link #abort()}. */
public interface BatchWriter extends AutoCloseable {
    /**
     * One attempt to write these documents in this order; it never retries and never splits what the server takes as
     * one request. Blocks for no longer than the server's own time-outs allow.
     *
     * @param documents at least one, within the lane's bounds on rows and bytes, or a single one above them
     * @return the documents that were refused for good, each with its reason; all others are written
     * @throws WriteException when documents are left that are neither written nor refused by name
     */
    List<Refusal> write(List<Document> documents) throws WriteException;

    /**
     * Any thread: how many of the written documents met a row or document that was kept as it was, since the start:
     * their own from an earlier attempt, or one that is newer or the first.
     */
    default long kept() {
        return 0;
    }

    /**
     * Asks a server that keeps offsets from where these partitions go on, and makes this writer their owner. For each it
     * calls {@link Progress#claimed} or {@link Progress#restartAt}. One attempt; what it did may be done again.
     *
     * @throws WriteException of no documents
     */
    default void claim(Collection<Progress> partitions) throws WriteException {
        partitions.forEach(partition -> partition.claimed(OptionalLong.empty()));
    }

    /**
     * Raises the next offsets in the server's own books, because what lies below them is done although no document moved
     * them: it was refused, or never reached this sink. Calls {@link Progress#stored}, or {@link Progress#restartAt} where
     * the books turn out to say something else. One attempt.
     *
     * @throws WriteException of no documents
     */
    default void store(Map<Progress, Long> nextOffsets) throws WriteException {
        nextOffsets.forEach(Progress::stored);
    }

    /**
     * Asks whether the server still has what this writer wrote. Calls {@link Progress#restartAt} for a partition whose
     * books are behind. One attempt, which ends no connections and is no outage if it fails.
     *
     * @throws WriteException of no documents
     */
    default void verify() throws WriteException {
        // Nothing to ask where the server keeps nothing.
    }

    /**
     * Any thread: cancels the attempt in progress, if there is one, so that {@link #write} soon throws. What it was
     * writing may or may not be written. The writer stays usable.
     */
    void abort();

    /** Gives back what the writer holds. Never throws; may be called more than once. */
    @Override
    void close();
}
