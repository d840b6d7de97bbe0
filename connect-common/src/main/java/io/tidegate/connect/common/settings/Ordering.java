package io.tidegate.connect.common.settings;

/** What stays in order when a task has several lanes. */
public enum Ordering {
    /** A partition keeps to one lane while it is assigned: order per partition, and so per key. */
    PARTITION,
    /** A key keeps to one lane; documents without a key keep to their partition's. */
    KEY,
    /** Any lane takes any document: for appending, and for writes whose version decides. */
    NONE
}
