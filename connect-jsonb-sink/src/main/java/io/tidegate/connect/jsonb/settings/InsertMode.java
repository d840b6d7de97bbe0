package io.tidegate.connect.jsonb.settings;

/** How an existing row with the same key is handled. */
public enum InsertMode {
    /** The record is refused if the table has such a constraint. */
    INSERT,
    /** The new row replaces it. */
    UPSERT,
    /** The existing row is kept: a record that is delivered twice is written once. */
    IGNORE,
    /** The new document's first-level fields are put into the existing one ({@code doc || EXCLUDED.doc}). */
    MERGE;

    /** Whether the server resolves conflicts by the key ({@code ON CONFLICT}). It then reads the key's columns. */
    public boolean isResolving() {
        return this != INSERT;
    }

    /** Whether an existing row is changed. The server then reads all columns that are written. */
    public boolean isUpdating() {
        return this == UPSERT || this == MERGE;
    }

    /** Whether the documents of both rows are merged. */
    public boolean isMerging() {
        return this == MERGE;
    }
}
