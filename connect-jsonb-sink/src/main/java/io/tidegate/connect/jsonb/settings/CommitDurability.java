package io.tidegate.connect.jsonb.settings;

/** When the server answers a commit. This is {@code synchronous_commit} in the sink's sessions. */
public enum CommitDurability {
    /** The server, the database or the role decides. */
    SERVER,
    /** When the server itself can no longer lose the commit. Standbys may still lose it. */
    LOCAL,
    /**
     * At once. A crash of the server can lose the last commits. It never loses part of a commit, nor a commit before
     * one that it keeps.
     */
    OFF
}
