package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.document.Document;
import java.util.List;
import java.util.Optional;

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
    long kept();

    /** The offsets that the server keeps; empty where it keeps none. It is always the same object. */
    Optional<ServerOffsets> offsets();

    /**
     * Any thread: cancels the attempt in progress, if there is one, so that {@link #write} soon throws. What it was
     * writing may or may not be written. The writer stays usable.
     */
    void abort();

    /** Gives back what the writer holds. Never throws; may be called more than once. */
    @Override
    void close();
}
