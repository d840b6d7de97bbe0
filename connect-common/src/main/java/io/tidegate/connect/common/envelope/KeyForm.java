package io.tidegate.connect.common.envelope;

/** What a sink makes of the key of a change event, which is an object with the columns of the primary key. */
public enum KeyForm {
    /** The object itself; the sink reads its columns by their names. */
    OBJECT,
    /** One text: that of the only column, or a JSON array of the texts of several. */
    TEXT
}
