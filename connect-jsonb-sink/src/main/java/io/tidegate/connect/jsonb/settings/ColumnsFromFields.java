package io.tidegate.connect.jsonb.settings;

/** Whether fields of the document have columns of their names. */
public enum ColumnsFromFields {
    /** The document is stored as one value. */
    NONE,
    /** Each field whose name is a column of the table goes into it. */
    KNOWN,
    /** The same, and the table gets a column for a field that has none. */
    ADD
}
