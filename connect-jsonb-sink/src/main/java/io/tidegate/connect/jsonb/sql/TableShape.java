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
 * What the server's catalogue says of a table: the types of its columns, and whether it takes {@code COPY}.
 *
 * @param table as written in a statement
 * @param types of the columns by name, as written in a cast that cuts nothing: the types below domains, without a
 *     length; empty when there is no such table
 * @param takesCopy whether it is a table, partitioned or not, without row-level security and without rules,
 *     which {@code COPY} would not follow
 * @param collated the columns with a collation other than the database's, {@code C} and {@code POSIX}: different texts may
 *     be equal in it. Their OIDs are fixed in PostgreSQL's {@code pg_collation.dat}
 */
public record TableShape(String table, Map<String, String> types, boolean takesCopy, Set<String> collated) {
    /**
     * An explicit cast to {@code varchar(10)} cuts in silence, and an assignment raises: so no cast names a length, and the
     * column's own raises. Numbers and times are rounded by both alike, and keys that are compared must be, too. A domain
     * applies its length as its cast does, so the type below it is named. Source: PostgreSQL documentation, "Type Casts"
     * and "Character Types"; {@code format_type} with -1 names the type that {@code character} alone is not.
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
     * Whether there is such a table and we have all of these privileges on it, or on any of its columns.
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
                return row.next() && row.getBoolean(1); // null where there is no such table
            }
        }
    }

    /** A cast to the type of a column, or nothing when the server has to find the type. */
    String castTo(String column) {
        return types.containsKey(column) ? "::" + types.get(column) : "";
    }

    /** The type of a column, empty when there is no such column. */
    public String typeOf(String column) {
        return types.getOrDefault(column, "");
    }

    /** Whether a column of this type cuts longer values in silence, whichever way they come: 63 bytes, or one. */
    public static boolean cuts(String type) {
        return CUTTING.contains(type);
    }

    /** Whether different texts may be equal in a column, because of its collation. */
    public boolean isCollated(String column) {
        return collated.contains(column);
    }

    /** Whether there is such a table. */
    public boolean exists() {
        return !types.isEmpty();
    }
}
