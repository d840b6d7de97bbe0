package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who keeps others from writing to a table or a row. Source: PostgreSQL documentation, "Table-Level Locks" on the modes that conflict
 * with {@code ROW EXCLUSIVE}, and "pg_locks". Stateless.
 */
public final class TableLocks {
    private static final Logger log = LoggerFactory.getLogger(TableLocks.class);

    private static final String SESSION = "coalesce('process ' || l.pid || ' ('"
            + " || coalesce(nullif(a.application_name, ''), 'no name') || ', user ' || coalesce(a.usename, 'unknown')"
            + " || ', in a transaction since ' || coalesce(a.xact_start::text, 'unknown')"
            + " || CASE a.wait_event WHEN 'SyncRep' THEN ', waits for a synchronous standby' ELSE '' END || ')',"
            + " 'a prepared transaction')";

    private static final String OTHERS = """
            FROM pg_catalog.unnest(?) AS t(name)
            JOIN pg_catalog.pg_locks AS l ON l.relation = pg_catalog.to_regclass(t.name) AND l.locktype = 'relation'
                AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
                AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
            LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
            """;

    /** The first session of each table: of those that wait for such a lock, only the first holds up the others. */
    private static final String HOLDERS = "SELECT DISTINCT ON (t.name) t.name, " + SESSION
            + " || CASE WHEN l.granted THEN ' holds ' ELSE ' waits for ' END || l.mode " + OTHERS
            + " WHERE l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')"
            + " ORDER BY t.name, l.granted DESC, a.xact_start";

    /**
     * Since before the wait for the lock began. Prepared transactions come first. Last come those of which the role may not
     * see when they began.
     */
    private static final String OLDEST = " AND (l.pid IS NULL OR a.xact_start IS NULL OR a.xact_start"
            + " < pg_catalog.clock_timestamp() - pg_catalog.current_setting('lock_timeout')::interval)"
            + " ORDER BY t.name, l.pid IS NOT NULL, a.xact_start";

    /** The session that holds a row has written to the table, or locked rows of it, since before the wait for the row began. */
    private static final String WRITERS = "SELECT DISTINCT ON (t.name) t.name, " + SESSION
            + " || ' has changed or locked rows' " + OTHERS
            + " WHERE l.mode IN ('RowShareLock', 'RowExclusiveLock')" + OLDEST;

    /** A change of the table's columns waits for everybody. */
    private static final String USERS = "SELECT DISTINCT ON (t.name) t.name, " + SESSION + " || ' holds ' || l.mode "
            + OTHERS + " WHERE l.granted" + OLDEST;

    private TableLocks() {}

    /**
     * Which of these tables are locked now.
     *
     * @param tables as written in a statement
     * @return by table, a text that names the session; empty if the server cannot tell
     */
    public static Map<String, String> holders(Connection connection, Collection<String> tables) {
        return sessions(connection, HOLDERS, tables);
    }

    /**
     * Who may hold a row of a table for which a statement has just waited in vain: the oldest transaction that changed or
     * locked rows. The server does not tell afterwards which row it was.
     *
     * @return a text that names the session; empty if there is none, or if the server cannot tell
     */
    public static Optional<String> writer(Connection connection, String table) {
        return Optional.ofNullable(sessions(connection, WRITERS, List.of(table)).get(table));
    }

    /** Who uses a table for which a change of its columns has just waited in vain: the oldest transaction. */
    public static Optional<String> user(Connection connection, String table) {
        return Optional.ofNullable(sessions(connection, USERS, List.of(table)).get(table));
    }

    private static Map<String, String> sessions(Connection connection, String query, Collection<String> tables) {
        Map<String, String> sessions = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sessions.put(rows.getString(1), rows.getString(2));
                }
            }
        } catch (SQLException e) {
            log.debug("The server does not say who holds locks: {}", PostgresFailures.describe(e));
        }
        return sessions;
    }
}
