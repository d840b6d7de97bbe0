package io.tidegate.connect.jsonb.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * A statement whose answer did not come in time, and whose connection is closed. The server may still run it. Source:
 * PostgreSQL documentation, "pg_stat_activity" and "Server Signaling Functions". Stateless.
 */
final class LateStatement {
    /** A server that takes longer for this question hangs. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(5);

    /** The name and the user rule out a process that has the number meanwhile, or the number that a pooler has made up. */
    private static final String OURS = """
            FROM pg_catalog.pg_stat_activity AS a
            WHERE a.pid = ? AND a.usename = session_user AND a.datname = pg_catalog.current_database()
                AND a.application_name = pg_catalog.current_setting('application_name')
            """;

    /** A session that waits for a synchronous standby has committed, and would only wait no longer. */
    private static final String CANCEL = """
            SELECT 'process ' || a.pid || ' still ran it'
                || coalesce(', waiting for ' || a.wait_event_type || ' ' || a.wait_event, '')
                || CASE WHEN pg_catalog.pg_cancel_backend(a.pid) THEN ', and is told to end it' ELSE '' END
            """ + OURS + """
                AND a.state = 'active' AND a.wait_event IS DISTINCT FROM 'SyncRep'
                AND pg_catalog.clock_timestamp() - a.query_start > interval '500 ms'
            """;

    /** It has committed, and nobody sees it yet. It goes on when its client has gone. */
    private static final String REPLICATING = "SELECT true " + OURS + " AND a.wait_event = 'SyncRep'";

    private LateStatement() {}

    /** Whether the process waits until a synchronous standby has its commit. */
    static boolean isReplicating(Connection other, int process) throws SQLException {
        return Rows.first(other, REPLICATING, row -> row.getBoolean(1), process).orElse(false);
    }

    /**
     * Tells the server to end the statement.
     *
     * @param other another connection of the same user
     * @param process of the server, which ran the statement
     * @return what it was doing; empty if it no longer runs a statement
     */
    static Optional<String> end(Connection other, int process) throws SQLException {
        other.setNetworkTimeout(Runnable::run, Math.toIntExact(MOST_WAIT.toMillis())); // the pool sets it back
        try (PreparedStatement statement = other.prepareStatement(CANCEL)) {
            statement.setInt(1, process);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? Optional.ofNullable(found.getString(1)) : Optional.empty();
            }
        }
    }
}
