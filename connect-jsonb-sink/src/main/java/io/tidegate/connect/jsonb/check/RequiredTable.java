package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a connector will do with a table, and which of its settings says so.
 *
 * @param sql the table's name as written in a statement
 * @param setting that names the table
 * @param purpose what the table is for, such as {@code for topic tides}
 * @param columns that are written
 * @param key the columns that have to identify a row, for {@code ON CONFLICT}, in any order; empty when nothing relies
 *     on that
 * @param keySetting that names the key
 * @param read the columns whose present values decide what is written
 * @param privileges needed on the table, or on the columns above
 * @param creation the statement that makes the table
 * @param isCreated whether the connector makes the table itself when it is missing
 */
record RequiredTable(
        String sql,
        String setting,
        String purpose,
        List<NeededColumn> columns,
        List<String> key,
        String keySetting,
        List<String> read,
        Set<Privilege> privileges,
        Optional<String> creation,
        boolean isCreated) {
    /** In the words of PostgreSQL. */
    enum Privilege {
        SELECT,
        INSERT,
        UPDATE,
        DELETE
    }

    /**
     * A column that is written.
     *
     * @param setting that names it
     * @param types that it may have, by PostgreSQL's names; empty when any will do
     * @param proposed the type proposed to the person who creates the column
     */
    record NeededColumn(String name, String setting, Set<String> types, String proposed) {
        NeededColumn {
            requireNonNull(name, "name");
            requireNonNull(setting, "setting");
            types = Set.copyOf(types);
            requireNonNull(proposed, "proposed");
        }
    }

    RequiredTable {
        requireNonNull(sql, "sql");
        requireNonNull(setting, "setting");
        requireNonNull(purpose, "purpose");
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        requireNonNull(keySetting, "keySetting");
        read = List.copyOf(read);
        privileges = Set.copyOf(privileges);
        requireNonNull(creation, "creation");
    }

    /** For messages that name each table once. */
    String described() {
        return sql + " (" + purpose + ")";
    }
}
