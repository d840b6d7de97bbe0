package io.tidegate.connect.common.envelope;

/** How a column is handled that an update left as it was and that the event therefore does not contain. */
public enum UnavailableValues {
    /** The record is refused. */
    FAIL,
    /** The column is left out of the document, which is merged into the older one. */
    KEEP,
    /** The placeholder is written. */
    WRITE
}
