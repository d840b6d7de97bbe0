package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds columns to a table. */
public final class ColumnAddition {
    private static final Logger log = LoggerFactory.getLogger(ColumnAddition.class);

    /** Of a row. Source: PostgreSQL's {@code htup_details.h}. */
    private static final int MOST_BYTES = 8_160;

    /** Bytes of its header without the bits for NULL. */
    private static final int HEADER = 23;

    private static final int ALIGNMENT = 8;

    /** Types of at most 8 bytes, and of at most 16. */
    private static final Set<String> SHORT = Set.of(
            "boolean",
            "smallint",
            "integer",
            "bigint",
            "real",
            "double precision",
            "date",
            "time",
            "time without time zone",
            "timestamp",
            "timestamp without time zone",
            "timestamptz",
            "timestamp with time zone");

    private static final Set<String> LONG = Set.of("uuid", "timetz", "time with time zone", "interval");

    /** Any other value takes no more: PostgreSQL moves longer ones out of the row. Source: its documentation, "TOAST". */
    private static final int TOASTED = 3 * ALIGNMENT;

    private ColumnAddition() {}

    /**
     * The first of these columns, as many as leave a row of any values short enough for a page of 8 kB. PostgreSQL would
     * refuse a longer one, however many of its values it moves out.
     *
     * @param types by name
     */
    public static Map<String, String> fitting(TableShape shape, Map<String, String> types) {
        int columns = shape.columns().values().stream()
                .mapToInt(TableShape.ColumnShape::place) // those that were dropped count
                .reduce(shape.columns().size(), Math::max);
        int bytes = shape.columns().values().stream()
                .mapToInt(column -> lengthOf(column.binary()))
                .sum();
        Map<String, String> fitting = new LinkedHashMap<>();
        for (Map.Entry<String, String> type : types.entrySet()) {
            columns++;
            bytes += lengthOf(type.getValue());
            if (bytes + headerOf(columns) > MOST_BYTES) {
                return fitting;
            }
            fitting.put(type.getKey(), type.getValue());
        }
        return fitting;
    }

    /** With what aligns the next column. */
    private static int lengthOf(String type) {
        return SHORT.contains(type) ? ALIGNMENT : LONG.contains(type) ? 2 * ALIGNMENT : TOASTED;
    }

    /** With a bit for each column that may be NULL. */
    private static int headerOf(int columns) {
        return (HEADER + (columns + Byte.SIZE - 1) / Byte.SIZE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /**
     * Adds columns in one statement, which rewrites no row. It waits two seconds for the table's lock, because others have
     * to wait behind it; on a server without the catalogue's functions, as long as the session does. It is no error if another
     * task has just added the same.
     *
     * @param types by name
     */
    public static void add(Connection connection, TableShape shape, Map<String, String> types) throws SQLException {
        String alteration = types.entrySet().stream()
                .map(column ->
                        " ADD COLUMN IF NOT EXISTS " + TableName.quote(column.getKey()) + ' ' + column.getValue())
                .collect(Collectors.joining(",", "ALTER TABLE " + shape.table(), ""));
        String timeOut = shape.isChecked() ? "SELECT pg_catalog.set_config('lock_timeout', '2s', true); " : "";
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(timeOut + alteration);
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
