package io.tidegate.connect.jsonb.sql;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.settings.InsertMode;
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

/** Creates a missing table for rows of some kind. It never changes an existing table. */
public final class TableCreation {
    private static final Logger log = LoggerFactory.getLogger(TableCreation.class);

    /** The table, or its entry in the catalogue, is a duplicate: another task created it at the same moment. */
    private static final Set<String> MADE_MEANWHILE = Set.of(SqlState.DUPLICATE_TABLE, SqlState.UNIQUE_VIOLATION);

    private final RowSettings row;
    private final InsertMode mode;

    public TableCreation(RowSettings row, InsertMode mode) {
        this.row = requireNonNull(row, "row");
        this.mode = requireNonNull(mode, "mode");
    }

    public void create(Connection connection, String table) throws SQLException {
        execute(connection, ddl(table));
    }

    /** Runs the statement. It is no error if another task has just done the same. */
    static void execute(Connection connection, String ddl) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(ddl);
            log.info("Created by {}: {}", TableSettings.AUTO_CREATE, ddl);
        } catch (SQLException e) {
            if (!MADE_MEANWHILE.contains(e.getSQLState())) {
                throw e;
            }
        }
    }

    /**
     * The statement that creates the table. A plain insert gets no key, because a record that is delivered again would
     * then be refused.
     */
    public String ddl(String table) {
        List<Column> key = mode.isResolving() ? row.keyColumns() : List.of();
        String columns = row.columns().stream()
                .map(column -> column.quoted() + ' ' + column.type())
                .collect(Collectors.joining(", "));
        String primaryKey = key.isEmpty()
                ? ""
                : key.stream().map(Column::quoted).collect(Collectors.joining(", ", ", PRIMARY KEY (", ")"));
        return "CREATE TABLE IF NOT EXISTS " + table + " (" + columns + primaryKey + ")";
    }
}
