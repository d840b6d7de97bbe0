package io.tidegate.connect.jsonb.settings;

/** When the server answers a commit: its {@code synchronous_commit} in the sink's sessions. */
public enum CommitDurability {
    /** As the server, the database or the role says. */
    SERVER,
    /** When the server itself cannot lose it any more; standbys may. */
    LOCAL,
    /** At once: a crash of the server can lose the last commits, but none in part and none before another. */
    OFF
}
