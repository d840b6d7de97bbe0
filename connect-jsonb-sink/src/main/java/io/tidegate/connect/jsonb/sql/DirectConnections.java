package io.tidegate.connect.jsonb.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.WeakHashMap;
import org.postgresql.PGConnection;

/**
 * Tells connections to the server itself from those through a pooler, which may give every statement another session: what
 * is prepared in one is not there in the next. A pooler makes up the process number that the client is told, so it is not
 * the one that the session has. One lane's.
 */
final class DirectConnections {
    private final Map<PGConnection, Boolean> known = new WeakHashMap<>(); // a connection is asked once

    boolean isDirect(Connection connection) throws SQLException {
        PGConnection physical = connection.unwrap(PGConnection.class);
        Boolean direct = known.get(physical);
        if (direct == null) {
            direct = sessionOf(connection) == physical.getBackendPID();
            known.put(physical, direct);
        }
        return direct;
    }

    private static int sessionOf(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet pid = statement.executeQuery("SELECT pg_catalog.pg_backend_pid()")) {
            pid.next();
            return pid.getInt(1);
        }
    }
}
