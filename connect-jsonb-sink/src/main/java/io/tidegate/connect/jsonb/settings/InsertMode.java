package io.tidegate.connect.jsonb.settings;

/** How an existing row with the same key is handled. */
public enum InsertMode {
    /** It is an error of the record, if the table has such a constraint. */
    INSERT,
    /** The new row replaces it. */
    UPSERT,
    /** It is kept: a record that is delivered twice is written once. */
    IGNORE,
    /** The new document's fields are put into it, those of the first level ({@code doc || EXCLUDED.doc}). */
    MERGE;

    /** Whether the server resolves conflicts by the key ({@code ON CONFLICT}), and so reads the key's columns. */
    public boolean isResolving() {
        return this != INSERT;
    }

    /** Whether an existing row is changed; the server then reads all columns that are written. */
    public boolean isUpdating() {
        return this == UPSERT || this == MERGE;
    }

    /** Whether an existing row is kept as it is. */
    public boolean isKeeping() {
        return this == IGNORE;
    }

    /** Whether the documents of both rows are merged. */
    public boolean isMerging() {
        return this == MERGE;
    }
}
