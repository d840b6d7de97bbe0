package io.tidegate.connect.jsonb.settings;

/** Where fields go that have no column. */
public enum UnknownFields {
    /** Into the value's column. */
    REST,
    /** Nowhere. */
    IGNORE,
    /** The record is refused. */
    REFUSE
}
