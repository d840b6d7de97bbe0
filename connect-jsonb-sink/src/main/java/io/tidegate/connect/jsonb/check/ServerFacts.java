package io.tidegate.connect.jsonb.check;

import io.tidegate.connect.jsonb.client.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * What a session tells about its server and about itself.
 *
 * @param version the server's name and version, as it reports them
 * @param role our role on the server
 * @param isStandby whether it only replays what a primary writes
 * @param isReadOnly whether a setting of the role, the database or the server forbids writes
 * @param searchPath the schemas in which the server looks for tables
 * @param isPooled whether a pooler such as PgBouncer is between us and the server
 */
record ServerFacts(
        String version, String role, boolean isStandby, boolean isReadOnly, String searchPath, boolean isPooled) {
    private static final String QUERY = "SELECT current_user, pg_is_in_recovery(),"
            + " current_setting('default_transaction_read_only'), current_setting('search_path'), pg_backend_pid()";

    static ServerFacts of(Connection session) throws SQLException {
        String version = session.getMetaData().getDatabaseProductName()
                + ' '
                + session.getMetaData().getDatabaseProductVersion();
        int introduced = session.unwrap(PGConnection.class).getBackendPID();
        return Rows.first(
                        session,
                        QUERY,
                        row -> new ServerFacts(
                                version,
                                row.getString(1),
                                row.getBoolean(2),
                                row.getString(3).equals("on"),
                                row.getString(4),
                                introduced != row.getInt(5))) // a pooler reports its own id, and forwards queries
                .orElseThrow();
    }
}
