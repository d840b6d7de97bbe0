package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until a synchronous standby has what others have committed. A commit waits for that only if its transaction wrote
 * something. Rows that are stored already may be those of an earlier attempt whose wait was ended: by a restart of the server,
 * or by a person. Source: PostgreSQL documentation, "Synchronous Replication" and {@code pg_logical_emit_message}. One lane
 * uses it.
 */
public final class StandbyWait {
    private static final Logger log = LoggerFactory.getLogger(StandbyWait.class);

    private static final String DO_COMMITS_WAIT = "SELECT pg_catalog.current_setting('synchronous_standby_names') <> ''"
            + " AND pg_catalog.current_setting('synchronous_commit') NOT IN ('off', 'local')";

    /** A message for logical decoding, so that the commit has something to wait for. */
    private static final String MESSAGE = "SELECT pg_catalog.pg_logical_emit_message(true, 'tidegate', '')";

    private boolean isUnknown; // to the server, or not granted

    /** In autocommit mode, after a statement that changed nothing. */
    public void await(Connection connection) throws SQLException {
        if (!isUnknown && doCommitsWait(connection)) {
            try {
                Optional<String> unused = Rows.first(connection, MESSAGE, row -> row.getString(1));
            } catch (SQLException e) {
                if (!isLacking(e) && !SqlState.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                    throw e;
                }
                isUnknown = true;
                log.warn(
                        "Rows that are stored already count as written, whether or not a synchronous standby has them: {}",
                        PostgresFailures.describe(e));
            }
        }
    }

    private boolean doCommitsWait(Connection connection) throws SQLException {
        try {
            return Rows.first(connection, DO_COMMITS_WAIT, row -> row.getBoolean(1))
                    .orElse(false);
        } catch (SQLException e) {
            if (!isLacking(e)) {
                throw e;
            }
            isUnknown = true; // such a server has no standbys of this kind
            return false;
        }
    }

    /** An internal error, which a pooler also answers, may pass. */
    private static boolean isLacking(SQLException e) {
        return PostgresFailures.isUnsupported(e) && !SqlState.INTERNAL_ERROR.equals(e.getSQLState());
    }
}
