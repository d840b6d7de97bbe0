package io.tidegate.connect.jsonb.settings;

/** How rows are sent. All methods make the same rows. */
public enum InsertMethod {
    /** A multi-row {@code INSERT ... VALUES}. */
    VALUES,
    /** {@code INSERT ... SELECT} from arrays: one text for every number of rows. */
    UNNEST,
    /** Binary {@code COPY}: the cheapest for the server, for plain appends into columns of exact types. */
    COPY,
    /** {@code COPY} where table and mode allow it and the batch is worth it, {@code UNNEST} elsewhere. */
    AUTO
}
