package io.tidegate.connect.jsonb.settings;

/** Whether fields of the document have columns of their names. */
public enum ColumnsFromFields {
    /** The document is stored as one value. */
    NONE,
    /** Each field whose name is a column of the table goes into it. */
    KNOWN
}
