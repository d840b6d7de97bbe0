package io.tidegate.connect.jsonb.settings;

import java.util.Set;

/** What a role may do with a table. The names are PostgreSQL's. */
public enum Privilege {
    SELECT,
    INSERT,
    UPDATE,
    DELETE;

    /** A deletion reads the key. Source: PostgreSQL documentation, DELETE, "Description". */
    public static final Set<Privilege> TO_DELETE = Set.of(DELETE, SELECT);
}
