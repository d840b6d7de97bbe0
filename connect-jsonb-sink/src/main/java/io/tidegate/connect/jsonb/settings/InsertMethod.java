package io.tidegate.connect.jsonb.settings;

/** How rows are sent. All methods make the same rows. */
public enum InsertMethod {
    /** A multi-row {@code INSERT ... VALUES}. */
    VALUES,
    /** {@code INSERT ... SELECT} from arrays: the text is the same for every number of rows. */
    UNNEST,
    /** Binary {@code COPY}: the cheapest for the server, but it only appends, to columns of exact types. */
    COPY,
    /** {@code COPY} if table and mode allow it and the batch is large enough, otherwise {@code UNNEST}. */
    AUTO
}
