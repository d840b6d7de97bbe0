package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds columns to a table. */
public final class ColumnAddition {
    private static final Logger log = LoggerFactory.getLogger(ColumnAddition.class);

    /** Most columns of a table that gets more. PostgreSQL itself takes at most 1,600, with those that were dropped. */
    public static final int MOST_COLUMNS = 1_000;

    private ColumnAddition() {}

    /**
     * Adds columns in one statement, which rewrites no row. It waits two seconds for the table's lock, because others have
     * to wait behind it. It is no error if another task has just added the same.
     *
     * @param types by name
     */
    public static void add(Connection connection, String table, Map<String, String> types) throws SQLException {
        String alteration = types.entrySet().stream()
                .map(column ->
                        " ADD COLUMN IF NOT EXISTS " + TableName.quote(column.getKey()) + ' ' + column.getValue())
                .collect(Collectors.joining(",", "ALTER TABLE " + table, ""));
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute("SELECT pg_catalog.set_config('lock_timeout', '2s', true); " + alteration);
            log.info("Added by {}=add: {}", FieldSettings.COLUMNS_FROM_FIELDS, alteration);
        } catch (SQLException e) {
            throw new SQLException(
                    FieldSettings.COLUMNS_FROM_FIELDS + "=add could not run " + alteration, e.getSQLState(), e);
        }
    }

    /**
     * Whether the table, or the server with these names, takes no such columns. Otherwise it may take them later, or the
     * role lacks a privilege.
     */
    public static boolean isOfTable(SQLException e) {
        Failure failure = PostgresFailures.classifyWithoutRows(e);
        return (failure == Failure.FATAL || failure == Failure.REJECTED)
                && !SqlState.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())
                && !SqlState.UNDEFINED_TABLE.equals(e.getSQLState());
    }
}
