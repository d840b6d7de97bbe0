package io.tidegate.connect.elasticsearch.settings;

/** How a document that the server did not write is handled. */
public enum Policy {
    /** {@link #DLQ} or {@link #FAIL}, by the other settings; no document is ever handled so. */
    AUTO,
    /** It is written again until the server takes it. */
    RETRY,
    /** It is skipped; the metrics count it. */
    IGNORE,
    /** It is skipped, and logged. */
    WARN,
    /** It is refused: it goes to the dead letter queue, or fails the task, as {@code errors.tolerance} says. */
    DLQ,
    /** It fails the task, whatever {@code errors.tolerance} says. */
    FAIL
}
