package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.Privilege;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * What a connector does with a table, and which setting decides it.
 *
 * @param sql the table's name as written in a statement
 * @param setting that names the table
 * @param purpose what the table is for, such as {@code for topic tides}
 * @param columns that are written
 * @param fields whether other columns are written, too, and added, and where fields without one go
 * @param key the columns that must identify a row for {@code ON CONFLICT}; empty if no statement needs them
 * @param privileges that the statements need
 * @param statements that the connector sends to a table of this shape
 * @param creation the statement that creates the table
 * @param isCreated whether the connector creates the table if it is missing
 */
record RequiredTable(
        String sql,
        String setting,
        String purpose,
        List<NeededColumn> columns,
        FieldSettings fields,
        List<String> key,
        Set<Privilege> privileges,
        Statements statements,
        String creation,
        boolean isCreated) {
    /** The statements that the connector sends to a table. */
    @FunctionalInterface
    interface Statements {
        JointStatement of(TableShape shape) throws SQLException;
    }

    /**
     * A column that is written.
     *
     * @param setting that names it
     * @param types that it may have, under PostgreSQL's names; empty if any type fits
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
        requireNonNull(fields, "fields");
        key = List.copyOf(key);
        privileges = Set.copyOf(privileges);
        requireNonNull(statements, "statements");
        requireNonNull(creation, "creation");
    }

    /** The text that messages use for the table. */
    String described() {
        return sql + " (" + purpose + ")";
    }
}
