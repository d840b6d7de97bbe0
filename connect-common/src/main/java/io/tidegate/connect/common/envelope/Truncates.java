package io.tidegate.connect.common.envelope;

/** How the event is handled that all rows of a table were removed at once. */
public enum Truncates {
    /** The record is refused. */
    FAIL,
    /** It is skipped: the rows stay. */
    IGNORE
}
