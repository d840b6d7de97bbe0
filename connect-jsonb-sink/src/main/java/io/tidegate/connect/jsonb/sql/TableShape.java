package io.tidegate.connect.jsonb.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the server's catalogue says about a table: the types of its columns, and whether it takes {@code COPY}.
 *
 * @param table as written in a statement
 * @param types of the columns by name, as written in a cast that cuts nothing: base types of domains, without a length;
 *     empty if there is no such table
 * @param takesCopy whether it is a table, partitioned or not, without row-level security and without rules, which
 *     {@code COPY} would ignore
 * @param collated the columns with a collation other than the database's, {@code C} and {@code POSIX}: different texts
 *     may be equal in them. The OIDs of these collations are fixed in PostgreSQL's {@code pg_collation.dat}
 */
public record TableShape(String table, Map<String, String> types, boolean takesCopy, Set<String> collated) {
    /**
     * An explicit cast to {@code varchar(10)} silently cuts, but an assignment raises an error. So no cast names a
     * length, and the column's own length raises the error. Both round numbers and times, so those types keep their
     * length: keys must be rounded before they are compared. A domain applies its length as a cast does, so its base
     * type is named. Source: PostgreSQL documentation, "Type Casts" and "Character Types". {@code format_type} with -1
     * gives {@code bpchar}, because {@code character} alone means length 1.
     */
    private static final String LOOK_UP = """
        SELECT b.name, format_type(b.type, CASE WHEN b.type IN (<rounding>) THEN b.modifier ELSE -1 END), b.copies,
          b.collated
        FROM (
          WITH RECURSIVE base(name, type, modifier, copies, collated) AS (
            SELECT a.attname, a.atttypid, a.atttypmod,
              c.relkind IN ('r', 'p') AND NOT c.relrowsecurity AND NOT c.relhasrules,
              a.attcollation NOT IN (0, 100, 950, 951)
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
            WHERE c.oid = pg_catalog.to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT d.name, t.typbasetype, t.typtypmod, d.copies, d.collated
            FROM base d JOIN pg_catalog.pg_type t ON t.oid = d.type WHERE t.typtype = 'd')
          SELECT * FROM base) AS b JOIN pg_catalog.pg_type t ON t.oid = b.type
        WHERE t.typtype <> 'd'
        """.replace(
                    "<rounding>",
                    "'numeric'::regtype, 'time'::regtype, 'timetz'::regtype, 'timestamp'::regtype,"
                            + " 'timestamptz'::regtype, 'interval'::regtype");

    /** Types of the server's own catalogue. Source: PostgreSQL documentation, "Special Character Types". */
    private static final Set<String> CUTTING = Set.of("name", "name[]", "\"char\"", "\"char\"[]");

    public TableShape {
        types = Map.copyOf(types);
        collated = Set.copyOf(collated);
    }

    /** Asks the server. */
    public static TableShape of(Connection connection, String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOOK_UP)) {
            statement.setString(1, table);
            Map<String, String> types = new HashMap<>();
            Set<String> collated = new HashSet<>();
            boolean takesCopy = false;
            try (ResultSet columns = statement.executeQuery()) {
                while (columns.next()) {
                    types.put(columns.getString(1), columns.getString(2));
                    takesCopy = columns.getBoolean(3);
                    if (columns.getBoolean(4)) {
                        collated.add(columns.getString(1));
                    }
                }
            }
            return new TableShape(table, types, takesCopy, collated);
        }
    }

    /**
     * Whether the table exists and we have all of these privileges on it, or on any of its columns.
     *
     * @param privileges as in {@code GRANT}
     */
    public static boolean isGranted(Connection connection, String table, Set<String> privileges) throws SQLException {
        String query = privileges.stream()
                .sorted()
                .map(privilege -> privilege.equals("DELETE")
                        ? "has_table_privilege(t.id, 'DELETE')"
                        : "has_any_column_privilege(t.id, '" + privilege + "')")
                .collect(Collectors.joining(
                        " AND ", "SELECT ", " FROM (SELECT pg_catalog.to_regclass(?)::oid AS id) AS t"));
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, table);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1); // null if there is no such table
            }
        }
    }

    /** A cast to the type of a column, or nothing if the server has to find the type. */
    String castTo(String column) {
        return types.containsKey(column) ? "::" + types.get(column) : "";
    }

    /** The type of a column; empty if there is no such column. */
    public String typeOf(String column) {
        return types.getOrDefault(column, "");
    }

    /** Whether a column of this type silently cuts longer values, to 63 bytes or to one, however they are sent. */
    public static boolean cuts(String type) {
        return CUTTING.contains(type);
    }

    /** Whether different texts may be equal in a column, because of its collation. */
    public boolean isCollated(String column) {
        return collated.contains(column);
    }

    /** Whether the table exists. */
    public boolean exists() {
        return !types.isEmpty();
    }
}
