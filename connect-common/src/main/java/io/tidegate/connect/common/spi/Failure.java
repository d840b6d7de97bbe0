package io.tidegate.connect.common.spi;

/**
 * The only error kinds that the pipeline knows. Each server's failure table maps its errors to them, together with the
 * policies of the settings. What follows from them is decided in {@code Delivery} alone.
 */
public enum Failure {
    /** The server or the way to it cannot accept writes now. The same documents are written again after a pause. */
    TRANSIENT,
    /**
     * The server is well, but this attempt came at a bad moment. The same documents are written again after a pause.
     * This is no outage and does not count as a retry.
     */
    BUSY,
    /**
     * The documents were more than the server can take at once. Fewer are sent from now on. If a single document is too
     * much, it is treated as {@link #TRANSIENT}.
     */
    TOO_MUCH,
    /**
     * The server works, but accepts nothing for some destinations now. The exception names them, with reasons. Their
     * documents are written again, in order, after a pause. Documents for other destinations are not held up, unless the
     * server keeps offsets and they come later in the same partition.
     */
    DESTINATION,
    /**
     * The server refuses something in these documents. If it named documents, these are refused and the others are
     * written again at once. If it named none, the batch is split until the document at fault is alone.
     */
    REJECTED,
    /**
     * The server refuses this document, which it named, and a policy says to skip it: it is neither written nor
     * reported. An earlier one of its key, which it replaced in the batch, is written.
     */
    SKIPPED,
    /** Nothing can be written until a human changes something. The task fails and says what to change. */
    FATAL
}
