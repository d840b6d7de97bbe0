package io.tidegate.connect.jsonb.settings;

/** What becomes of a row that is there already. */
public enum InsertMode {
    /** It stays an error of the record, if the table has such a constraint. */
    INSERT,
    /** The new row replaces it. */
    UPSERT,
    /** It stays as it is: a record that is delivered twice is written once. */
    IGNORE,
    /** The new document's fields are put into it, those of the first level ({@code doc || EXCLUDED.doc}). */
    MERGE;

    /** Whether a row that is there is changed. */
    public boolean isUpdating() {
        return this == UPSERT || this == MERGE;
    }
}
