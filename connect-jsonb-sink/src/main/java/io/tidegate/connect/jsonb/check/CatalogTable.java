package io.tidegate.connect.jsonb.check;

import io.tidegate.connect.jsonb.check.RequiredTable.Privilege;
import io.tidegate.connect.jsonb.client.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the server's catalogue says about a table, limited to what decides whether rows can be written.
 *
 * @param isTable whether rows can be inserted into this kind of relation
 * @param isIndexed whether it can have indexes; a view cannot
 * @param fillsColumns whether it may fill columns: by triggers, or as a view or a foreign table
 * @param mayDelete whether the role may delete rows
 * @param columns by name, in the table's order
 * @param uniqueIndexes all of them, including those that {@code ON CONFLICT} cannot use
 */
record CatalogTable(
        boolean isTable,
        boolean isIndexed,
        boolean fillsColumns,
        boolean mayDelete,
        Map<String, CatalogColumn> columns,
        List<UniqueIndex> uniqueIndexes) {
    /**
     * A column.
     *
     * @param type PostgreSQL's name of the type, without length or precision; for a domain, its base type
     * @param isRequired whether it takes no NULL and has no default
     * @param isGenerated whether only the server may write it
     * @param privileges that the role has on the column or on its table
     */
    record CatalogColumn(String type, boolean isRequired, boolean isGenerated, Set<Privilege> privileges) {
        CatalogColumn {
            privileges = Set.copyOf(privileges);
        }
    }

    /**
     * A unique index.
     *
     * @param flaw why {@code ON CONFLICT} cannot use it; empty when it can
     */
    record UniqueIndex(String name, Set<String> columns, Optional<String> flaw) {
        UniqueIndex {
            columns = Set.copyOf(columns);
        }
    }

    private static final String TABLE = "SELECT c.relkind IN ('r', 'p', 'v', 'f'), c.relkind IN ('r', 'p'),"
            + " c.relkind IN ('v', 'f') OR EXISTS (SELECT FROM pg_catalog.pg_trigger t"
            + " WHERE t.tgrelid = c.oid AND NOT t.tgisinternal), has_table_privilege(c.oid, 'DELETE')"
            + " FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass(?)";

    private static final String COLUMNS =
            "SELECT a.attname, format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid), NULL),"
                    + " a.attnotnull AND NOT a.atthasdef AND a.attidentity = '',"
                    + " a.attgenerated <> '' OR a.attidentity = 'a',"
                    + " has_column_privilege(a.attrelid, a.attnum, 'SELECT'),"
                    + " has_column_privilege(a.attrelid, a.attnum, 'INSERT'),"
                    + " has_column_privilege(a.attrelid, a.attnum, 'UPDATE')"
                    + " FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid"
                    + " WHERE a.attrelid = pg_catalog.to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped"
                    + " ORDER BY a.attnum";

    /** Columns that an index only includes do not make rows unique. */
    private static final String INDEXES = "SELECT x.relname, i.indpred IS NOT NULL, i.indexprs IS NOT NULL,"
            + " NOT i.indimmediate, NOT i.indisvalid, ARRAY(SELECT a.attname::text FROM pg_catalog.pg_attribute a"
            + " JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) ON a.attnum = k.attnum"
            + " WHERE a.attrelid = i.indrelid AND k.place <= i.indnkeyatts)"
            + " FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid"
            + " WHERE i.indrelid = pg_catalog.to_regclass(?) AND i.indisunique ORDER BY x.relname";

    private static final String MAY_BE_MADE = "SELECT has_schema_privilege("
            + "CASE WHEN cardinality(parts) > 1 THEN parts[1] ELSE current_schema() END, 'CREATE')"
            + " FROM parse_ident(?) AS parts";

    /** A table has large values if its TOAST table is not empty. Values are compressed from about 2 KB. */
    private static final String SLOWLY_COMPRESSED =
            "SELECT a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
                    + " JOIN pg_catalog.pg_settings s ON s.name = 'default_toast_compression'"
                    + " AND 'lz4' = ANY (s.enumvals)"
                    + " WHERE a.attrelid = pg_catalog.to_regclass(?) AND a.attname = ANY (?) AND a.attstorage = 'x'"
                    + " AND CASE a.attcompression WHEN 'l' THEN false WHEN 'p' THEN true ELSE s.setting = 'pglz' END"
                    + " AND pg_relation_size(c.reltoastrelid) > 0 ORDER BY a.attname";

    /** The first version whose columns have a compression. Source: PostgreSQL documentation, release notes of 14. */
    private static final int COMPRESSION_VERSION = 14;

    private static final List<String> FLAWS =
            List.of("is partial", "has expressions", "is deferrable", "is not valid: its creation failed");

    CatalogTable {
        columns = Map.copyOf(columns);
        uniqueIndexes = List.copyOf(uniqueIndexes);
    }

    /** Asks the server. Returns empty if there is no such table, or if the role cannot see its schema. */
    static Optional<CatalogTable> of(Connection connection, String table) throws SQLException {
        return Rows.first(
                connection,
                TABLE,
                row -> new CatalogTable(
                        row.getBoolean(1),
                        row.getBoolean(2),
                        row.getBoolean(3),
                        row.getBoolean(4),
                        columns(connection, table),
                        uniqueIndexes(connection, table)),
                table);
    }

    /** Whether the role may create a table of this name. */
    static boolean mayBeMade(Connection connection, String table) throws SQLException {
        return Rows.first(connection, MAY_BE_MADE, row -> row.getBoolean(1), table)
                .orElse(false);
    }

    /** Those of the columns that hold large values, compressed in another way than the server's LZ4. */
    static List<String> slowlyCompressed(Connection connection, String table, List<String> columns)
            throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() < COMPRESSION_VERSION) {
            return List.of();
        }
        return Rows.of(
                connection,
                SLOWLY_COMPRESSED,
                row -> row.getString(1),
                table,
                connection.createArrayOf("text", columns.toArray()));
    }

    private static Map<String, CatalogColumn> columns(Connection connection, String table) throws SQLException {
        return Rows.of(connection, COLUMNS, row -> Map.entry(row.getString(1), column(row)), table).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static CatalogColumn column(ResultSet row) throws SQLException {
        Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        add(privileges, Privilege.SELECT, row.getBoolean(5));
        add(privileges, Privilege.INSERT, row.getBoolean(6));
        add(privileges, Privilege.UPDATE, row.getBoolean(7));
        return new CatalogColumn(row.getString(2), row.getBoolean(3), row.getBoolean(4), privileges);
    }

    private static void add(Set<Privilege> privileges, Privilege privilege, boolean isGranted) {
        if (isGranted) {
            privileges.add(privilege);
        }
    }

    private static List<UniqueIndex> uniqueIndexes(Connection connection, String table) throws SQLException {
        return Rows.of(
                connection,
                INDEXES,
                row -> {
                    String[] names = (String[]) row.getArray(6).getArray();
                    return new UniqueIndex(row.getString(1), Set.of(names), flaw(row));
                },
                table);
    }

    private static Optional<String> flaw(ResultSet row) throws SQLException {
        for (int i = 0; i < FLAWS.size(); i++) {
            if (row.getBoolean(2 + i)) {
                return Optional.of(FLAWS.get(i));
            }
        }
        return Optional.empty();
    }
}
