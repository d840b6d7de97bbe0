package io.tidegate.connect.jsonb.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * What a session says of its server and of itself.
 *
 * @param version of the server, in its own words
 * @param role who we are there
 * @param isStandby whether it only replays what a primary writes
 * @param isReadOnly whether transactions may not write, by a setting of the role, the database or the server
 * @param searchPath the schemas in which it looks for tables
 * @param isPooled whether something such as PgBouncer stands between, which answers in the server's name
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
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(QUERY)) {
            row.next();
            return new ServerFacts(
                    version,
                    row.getString(1),
                    row.getBoolean(2),
                    row.getString(3).equals("on"),
                    row.getString(4),
                    introduced != row.getInt(5)); // a pooler introduces itself, and passes questions on
        }
    }
}
