package io.tidegate.connect.jsonb.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the server's catalogue says of a table: the types of its columns, and whether it takes {@code COPY}.
 *
 * @param table as it stands in a statement
 * @param types of the columns by name, as they stand in a cast; empty when there is no such table
 * @param takesCopy whether it is a table of its own, partitioned or not, without row-level security
 */
public record TableShape(String table, Map<String, String> types, boolean takesCopy) {
    private static final String LOOK_UP =
            "SELECT a.attname, format_type(a.atttypid, a.atttypmod), c.relkind IN ('r', 'p') AND NOT c.relrowsecurity"
                    + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
                    + " WHERE c.oid = pg_catalog.to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped";

    public TableShape {
        types = Map.copyOf(types);
    }

    /** Asks the server. */
    public static TableShape of(Connection connection, String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK_UP)) {
            statement.setString(1, table);
            Map<String, String> types = new HashMap<>();
            boolean takesCopy = false;
            try (ResultSet columns = statement.executeQuery()) {
                while (columns.next()) {
                    types.put(columns.getString(1), columns.getString(2));
                    takesCopy = columns.getBoolean(3);
                }
            }
            return new TableShape(table, types, takesCopy);
        }
    }

    /** A cast to the type of a column, or nothing when the server has to find out by itself. */
    String castTo(String column) {
        return types.containsKey(column) ? "::" + types.get(column) : "";
    }

    /** The type of a column, empty when there is no such column. */
    public String typeOf(String column) {
        return types.getOrDefault(column, "");
    }

    /** Whether there is such a table. */
    public boolean exists() {
        return !types.isEmpty();
    }
}
