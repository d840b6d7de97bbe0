package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing tables for rows of some kind. It never changes an existing table. */
public final class TableCreation {
    private static final Logger log = LoggerFactory.getLogger(TableCreation.class);

    /** The table, or its entry in the catalogue, is a duplicate: another task created it at the same moment. */
    private static final Set<String> MADE_MEANWHILE = Set.of(SqlState.DUPLICATE_TABLE, SqlState.UNIQUE_VIOLATION);

    private final RowSettings row;
    private final List<Column> key;

    /** Of tables for such rows, with a primary key where statements need one. */
    public TableCreation(RowSettings row, InsertSettings insert) {
        this.row = requireNonNull(row, "row");
        this.key = insert.conflictKey(row);
    }

    /** Creates tables, one after the other. Their documents are compressed with LZ4 if the server has it. */
    public void create(Connection connection, List<String> tables) throws SQLException {
        String compression = takesLz4(connection) ? " COMPRESSION lz4" : "";
        for (String table : tables) {
            execute(connection, ddl(table, compression));
        }
    }

    /**
     * Whether the server was built with LZ4, which costs it about 40 % less CPU than its own compression for documents
     * above 2 KB. Source: PostgreSQL documentation, "default_toast_compression", since version 14.
     */
    private static boolean takesLz4(Connection connection) throws SQLException {
        try {
            return Rows.first(
                            connection,
                            "SELECT 'lz4' = ANY (enumvals) FROM pg_catalog.pg_settings"
                                    + " WHERE name = 'default_toast_compression'",
                            row -> row.getBoolean(1))
                    .orElse(false);
        } catch (SQLException e) {
            if (PostgresFailures.isUnsupported(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Runs the statement. It is no error if another task has just done the same. In the way is then the table, its entry in
     * the catalogue, or the type of its rows. A type may also be somebody's own, so the statement is run again, which does
     * nothing if there is such a table.
     */
    static void execute(Connection connection, String ddl) throws SQLException {
        try {
            run(connection, ddl);
        } catch (SQLException e) {
            if (SqlState.DUPLICATE_OBJECT.equals(e.getSQLState())) {
                run(connection, ddl);
            } else if (!MADE_MEANWHILE.contains(e.getSQLState())) {
                throw e;
            }
        }
    }

    private static void run(Connection connection, String ddl) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(ddl);
            log.info("Created by {}: {}", TableSettings.AUTO_CREATE, ddl);
        }
    }

    /**
     * The statement that creates the table. A plain insert gets no key, because a record that is delivered again would
     * then be refused.
     */
    public String ddl(String table) {
        return ddl(table, "");
    }

    private String ddl(String table, String compression) {
        String columns = row.columns().stream()
                .map(column -> column.quoted()
                        + ' '
                        + column.type()
                        + (column.name().equals(row.valueColumn()) ? compression : ""))
                .collect(Collectors.joining(", "));
        String primaryKey = key.isEmpty()
                ? ""
                : key.stream().map(Column::quoted).collect(Collectors.joining(", ", ", PRIMARY KEY (", ")"));
        return "CREATE TABLE IF NOT EXISTS " + table + " (" + columns + primaryKey + ")";
    }
}
