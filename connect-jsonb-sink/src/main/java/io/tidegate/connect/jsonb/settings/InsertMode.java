package io.tidegate.connect.jsonb.settings;

import java.util.Set;

/** How an existing row with the same key is handled. */
@SuppressWarnings("ImmutableEnumChecker") // the set is immutable
public enum InsertMode {
    /** The record is refused if the table has such a constraint. */
    INSERT(Privilege.INSERT),
    /** The new row replaces it. */
    UPSERT(Privilege.INSERT, Privilege.SELECT, Privilege.UPDATE),
    /** The existing row is kept: a record that is delivered twice is written once. */
    IGNORE(Privilege.INSERT, Privilege.SELECT),
    /** The new document's first-level fields are put into the existing one ({@code doc || EXCLUDED.doc}). */
    MERGE(Privilege.INSERT, Privilege.SELECT, Privilege.UPDATE);

    private final Set<Privilege> privileges;

    InsertMode(Privilege... privileges) {
        this.privileges = Set.of(privileges);
    }

    /** What the role needs to write rows. Source: PostgreSQL documentation, INSERT, "Description". */
    public Set<Privilege> privileges() {
        return privileges;
    }

    /** Whether the server resolves conflicts by the key ({@code ON CONFLICT}). It then reads the key's columns. */
    public boolean isResolving() {
        return this != INSERT;
    }

    /** Whether an existing row is changed. The server then reads all columns that are written. */
    public boolean isUpdating() {
        return privileges.contains(Privilege.UPDATE);
    }

    /** Whether the documents of both rows are merged. */
    public boolean isMerging() {
        return this == MERGE;
    }
}
