package io.tidegate.connect.common.document;

/** How a record with a null value is handled. */
public enum NullValues {
    /** It is skipped. */
    IGNORE,
    /** It deletes the row or document with its key. */
    DELETE,
    /** It is refused: it goes to the dead letter queue, or fails the task. */
    FAIL
}
