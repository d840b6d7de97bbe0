package io.tidegate.connect.jsonb.settings;

/** What identifies a row. */
public enum KeyMode {
    /** Nothing: rows are appended. */
    NONE,
    /** Topic, partition and offset. */
    KAFKA,
    /** The record's key, or fields of it. */
    RECORD_KEY,
    /** Fields of the record's value. */
    RECORD_VALUE;

    /** Whether a later record can have the same key. */
    public boolean isRepeating() {
        return this == RECORD_KEY || this == RECORD_VALUE;
    }
}
