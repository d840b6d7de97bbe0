package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The parts of statements that do not depend on how rows are sent. */
final class RowSql {
    private final TableSettings settings;

    RowSql(TableSettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    /** The columns that are written: the value's first, then the key's. */
    List<String> columns() {
        List<String> columns = new ArrayList<>();
        columns.add(settings.valueColumn());
        columns.addAll(settings.keyColumns());
        return columns;
    }

    /** {@code INSERT INTO table (columns) }. */
    String insertInto(String table) {
        return "INSERT INTO " + table + ' ' + list(columns()) + ' ';
    }

    /** {@code COPY table (columns) FROM STDIN}, in binary. */
    String copyInto(String table) {
        return "COPY " + table + ' ' + list(columns()) + " FROM STDIN (FORMAT binary)";
    }

    /** What becomes of rows that are there already; with a leading space. */
    String conflictClause() {
        String target = " ON CONFLICT " + list(settings.keyColumns());
        if (settings.insertMode() == InsertMode.IGNORE) {
            return target + " DO NOTHING";
        }
        String value = TableName.quote(settings.valueColumn());
        return target + " DO UPDATE SET " + value + " = EXCLUDED." + value;
    }

    private static String list(List<String> columns) {
        return columns.stream().map(TableName::quote).collect(Collectors.joining(", ", "(", ")"));
    }
}
