package io.tidegate.connect.jsonb.row;

/** What is sent for a column of each row. */
public sealed interface RowInput permits RowField, DocumentField {
    /** How it is sent if the server has nothing to cast. */
    WireType wire();

    /** Whether it comes from the record's value, and not from its key or metadata. */
    boolean isOfValue();
}
