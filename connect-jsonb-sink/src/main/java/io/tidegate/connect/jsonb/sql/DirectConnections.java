package io.tidegate.connect.jsonb.sql;

import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.WeakHashMap;
import org.postgresql.PGConnection;

/**
 * Tells direct connections to the server from those through a pooler. A pooler may give every statement another
 * session, so a statement that one session has prepared is missing in the next. A pooler tells the client an invented
 * process id, so it differs from the session's. One lane uses it.
 */
final class DirectConnections {
    private final Map<PGConnection, Boolean> known = new WeakHashMap<>(); // each connection is asked once

    boolean isDirect(Connection connection) throws SQLException {
        PGConnection physical = connection.unwrap(PGConnection.class);
        Boolean direct = known.get(physical);
        if (direct == null) {
            direct = isPid(connection, physical);
            known.put(physical, direct);
        }
        return direct;
    }

    private boolean isPid(Connection connection, PGConnection physical) throws SQLException {
        try {
            return Rows.first(connection, "SELECT pg_catalog.pg_backend_pid()", row -> row.getInt(1))
                    .filter(pid -> pid == physical.getBackendPID())
                    .isPresent();
        } catch (SQLException e) {
            if (!PostgresFailures.isUnsupported(e)) {
                throw e;
            }
            known.put(physical, false);
            if (!connection.getAutoCommit()) {
                throw new SQLException("a question has ended the transaction", SqlState.SERIALIZATION_FAILURE, e);
            }
            return false;
        }
    }
}
