package io.tidegate.connect.common.document;

/** What becomes of a record whose value is null. */
public enum NullValues {
    /** It is skipped. */
    IGNORE,
    /** It deletes the row or document with its key. */
    DELETE,
    /** It is refused: it goes to the dead letter queue, or fails the task. */
    FAIL
}
