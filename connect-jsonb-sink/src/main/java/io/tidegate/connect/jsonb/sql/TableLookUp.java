package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.Privilege;
import io.tidegate.connect.jsonb.sql.TableShape.ColumnShape;
import io.tidegate.connect.jsonb.sql.TableShape.Filling;
import io.tidegate.connect.jsonb.sql.TableShape.KeyIndex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks a server for the {@link TableShape} of a table: its catalogue, or the views of the SQL standard. */
public final class TableLookUp {
    /**
     * An explicit cast to {@code varchar(10)} silently cuts, and one to {@code numeric(10,2)} rounds, to the length
     * that the column had when it was looked up. An assignment uses the column's present length, and raises an error
     * where it would cut. So no cast names a length. A domain applies its length as a cast does, so its base type is
     * named; a domain's length cannot change, and one that rounds is kept. Source: PostgreSQL documentation, "Type
     * Casts" and "Character Types". {@code format_type} with -1 gives {@code bpchar}, because {@code character} alone
     * means length 1.
     */
    private static final String CATALOGUE = """
        SELECT b.name, format_type(b.type, CASE WHEN b.type IN (<rounding>) THEN b.modifier ELSE -1 END), b.copies,
          b.merges, b.declared, b.qualified, b.generated, b.filled, b.nullable,
          CASE WHEN t.typtype = 'e' THEN 'text'
            WHEN t.typnamespace = 11 THEN format_type(b.type, NULL)
            ELSE (SELECT replace(p.prosrc, '_recv', '') FROM pg_catalog.pg_proc p
              WHERE p.oid = t.typreceive AND p.prosrc IN ('vector_recv', 'halfvec_recv') AND p.probin LIKE '%/vector')
          END,
          (SELECT min(i.indexrelid) FROM pg_catalog.pg_index i
           WHERE i.indrelid = b.relation AND i.indisunique AND i.indimmediate AND i.indisvalid
             AND i.indpred IS NULL AND i.indexprs IS NULL AND ARRAY(
               SELECT a.attname::text FROM pg_catalog.pg_attribute a
                 JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) ON a.attnum = k.attnum
               WHERE a.attrelid = i.indrelid AND k.place <= i.indnkeyatts ORDER BY a.attname) = CAST(? AS text[])),
          b.place, b.relation, b.number
        FROM (
          WITH RECURSIVE base(number, name, type, modifier, copies, merges, declared, qualified, relation, generated,
            filled, nullable, place) AS (
            SELECT w.number, a.attname, a.atttypid, -1,
              c.relkind IN ('r', 'p') AND NOT c.relrowsecurity AND NOT c.relhasrules,
              CASE WHEN a.atttypid = 'numeric'::regtype THEN a.atttypmod >= 4 AND (a.atttypmod - 4) & 1024 <> 0
                WHEN a.atttypid IN (<rounding>) THEN a.atttypmod BETWEEN 0 AND 5
                ELSE a.attcollation NOT IN (0, 100, 950, 951) END,
              a.atttypid, format('%I.%I', n.nspname, c.relname),
              c.oid, a.attgenerated <> '' OR a.attidentity = 'a'
                OR (c.relkind = 'v' AND NOT pg_catalog.pg_column_is_updatable(c.oid, a.attnum, true)
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger g WHERE g.tgrelid = c.oid AND g.tgtype & 68 = 68)
                  AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite u
                    WHERE u.ev_class = c.oid AND u.ev_type = '3' AND u.is_instead)),
              a.atthasdef OR a.attidentity <> '' OR y.typdefault IS NOT NULL
                OR (c.relkind = 'v' AND NOT EXISTS (
                  SELECT FROM pg_catalog.pg_rewrite u
                    JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = u.oid
                      AND d.refclassid = 'pg_catalog.pg_class'::regclass
                    JOIN pg_catalog.pg_class o ON o.oid = d.refobjid AND o.relkind IN ('r', 'p')
                    JOIN pg_catalog.pg_attribute f ON f.attrelid = o.oid AND f.attnum = d.refobjsubid
                  WHERE u.ev_class = c.oid AND f.attname = a.attname AND NOT f.atthasdef AND f.attidentity = '')),
              NOT a.attnotnull AND NOT y.typnotnull,
              a.attnum
            FROM <asked>
              JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(w.asked)
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
            WHERE a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT d.number, d.name, t.typbasetype, t.typtypmod, d.copies, d.merges, d.declared, d.qualified,
              d.relation, d.generated, d.filled, d.nullable AND NOT t.typnotnull, d.place
            FROM base d JOIN pg_catalog.pg_type t ON t.oid = d.type WHERE t.typtype = 'd')
          SELECT * FROM base) AS b JOIN pg_catalog.pg_type t ON t.oid = b.type
        WHERE t.typtype <> 'd'
        """.replace("<rounding>", TableShape.rounding());

    /** A separate statement: an array without values yet counts as ten names, and the plan for ten is slow for one. */
    private static final String OF_ONE =
            CATALOGUE.replace("<asked>", "(SELECT CAST(? AS text), 1) AS w(asked, number)");

    private static final String OF_MANY =
            CATALOGUE.replace("<asked>", "unnest(CAST(? AS text[])) WITH ORDINALITY AS w(asked, number)");

    /**
     * In all schemas: which of them the server would look in cannot be asked everywhere. A server may lack some of the standard's
     * columns.
     */
    private static final String STANDARD = "SELECT * FROM information_schema.columns WHERE table_name = ?";

    private TableLookUp() {}

    /** Asks the server about one table, see {@link #of(Connection, List, List)}. */
    public static TableShape of(Connection connection, String table, List<String> key) throws SQLException {
        return of(connection, List.of(table), key).get(table);
    }

    /**
     * Asks the server, in one statement for all tables. It fails for all if it fails for one: its schema may be out of our
     * reach.
     *
     * @param tables as written in a statement
     * @param key the columns whose values no two rows may share; may be empty
     * @return a shape for each of the names; without columns if there is no such table
     */
    public static Map<String, TableShape> of(Connection connection, List<String> tables, List<String> key)
            throws SQLException {
        List<Found> found = tables.stream().map(Found::new).toList();
        boolean isOne = tables.size() == 1;
        try (PreparedStatement statement = connection.prepareStatement(isOne ? OF_ONE : OF_MANY)) {
            statement.setArray(
                    1, connection.createArrayOf("text", key.stream().sorted().toArray()));
            if (isOne) {
                statement.setString(2, tables.get(0));
            } else {
                statement.setArray(2, connection.createArrayOf("text", tables.toArray()));
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.get(rows.getInt(14) - 1).add(rows);
                }
            }
        }
        return found.stream().map(Found::shape).collect(Collectors.toMap(TableShape::table, Function.identity()));
    }

    /** The rows of {@link #CATALOGUE} about one table, which has none if it does not exist. */
    private static final class Found {
        private final String table;
        private final Map<String, ColumnShape> columns = new HashMap<>();
        private String qualified = "";
        private boolean takesCopy;
        private Optional<KeyIndex> keyIndex = Optional.empty();

        Found(String table) {
            this.table = table;
        }

        void add(ResultSet row) throws SQLException {
            columns.put(
                    row.getString(1),
                    new ColumnShape(
                            row.getString(2),
                            Objects.requireNonNullElse(row.getString(10), ""),
                            row.getLong(5),
                            row.getBoolean(4),
                            row.getInt(12),
                            new Filling(row.getBoolean(7), row.getBoolean(8), row.getBoolean(9))));
            takesCopy = row.getBoolean(3);
            qualified = row.getString(6);
            long index = row.getLong(11); // 0 for NULL
            keyIndex = index == 0 ? Optional.empty() : Optional.of(new KeyIndex(index, row.getLong(13)));
        }

        TableShape shape() {
            return new TableShape(table, qualified, columns, takesCopy, keyIndex);
        }
    }

    /** Asks a server without PostgreSQL's catalogue in the words of the SQL standard. */
    public static TableShape plain(Connection connection, String table) throws SQLException {
        List<String> name = TableName.parse(table).parts();
        Map<String, ColumnShape> columns = new HashMap<>();
        Set<String> ambiguous = new HashSet<>();
        Rows.of(
                connection,
                STANDARD,
                row -> {
                    if (name.size() == 1 || name.get(0).equals(row.getString("table_schema"))) {
                        String column = row.getString("column_name");
                        String type = row.getString("data_type");
                        Filling filling = plainFilling(row);
                        ColumnShape other = columns.get(column);
                        if (other != null && !other.type().equals(type)) {
                            ambiguous.add(column);
                        }
                        boolean isSure = other == null || other.filling().equals(filling);
                        columns.put(column, new ColumnShape(type, type, 0, true, 0, isSure ? filling : Filling.PLAIN));
                    }
                    return name;
                },
                name.get(name.size() - 1));
        ambiguous.forEach(columns::remove); // the server has to find their types
        return new TableShape(table, "", columns, false, Optional.empty());
    }

    private static Filling plainFilling(ResultSet column) throws SQLException {
        return new Filling(
                isSaid(column, "is_generated", "ALWAYS") || isSaid(column, "identity_generation", "ALWAYS"),
                isSaid(column, "column_default", "") || isSaid(column, "is_identity", "YES"),
                !isSaid(column, "is_nullable", "NO"));
    }

    /** Whether the view has the fact, with this value unless that is empty. */
    private static boolean isSaid(ResultSet column, String fact, String value) throws SQLException {
        ResultSetMetaData facts = column.getMetaData();
        for (int i = 1; i <= facts.getColumnCount(); i++) {
            if (facts.getColumnLabel(i).equals(fact)) {
                String said = column.getString(i);
                return said != null && (value.isEmpty() || said.equals(value));
            }
        }
        return false;
    }

    /** Whether the table exists and we have all of these privileges on it, or on any of its columns. */
    public static boolean isGranted(Connection connection, String table, Set<Privilege> privileges)
            throws SQLException {
        String query = privileges.stream()
                .sorted()
                .map(privilege -> privilege == Privilege.DELETE
                        ? "has_table_privilege(t.id, 'DELETE')"
                        : "has_any_column_privilege(t.id, '" + privilege + "')")
                .collect(Collectors.joining(
                        " AND ", "SELECT ", " FROM (SELECT pg_catalog.to_regclass(?)::oid AS id) AS t"));
        return Rows.first(connection, query, row -> row.getBoolean(1), table) // null if there is no such table
                .orElse(false);
    }
}
