package io.tidegate.connect.common.spi;

/** What of a record decides which row or document it becomes. */
public enum RecordIdentity {
    /** Nothing that the server would notice: a record that is written twice is stored twice. */
    NONE,
    /** Topic, partition and offset. */
    COORDINATES,
    /** The record's key, in one table or index for each topic. */
    KEY,
    /** Something else of the record, such as fields of its value. */
    OTHER;

    /** Whether a record that is written twice is stored once. */
    public boolean isStoredOnce() {
        return this != NONE;
    }
}
