package io.tidegate.connect.jsonb.check;

import io.tidegate.connect.jsonb.client.Rows;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The facts that a session reports about its server.
 *
 * @param role our role on the server
 * @param isStandby whether it only replays what a primary writes
 * @param isReadOnly whether a setting of the role, the database or the server forbids writes
 * @param searchPath the schemas in which the server looks for tables
 */
record ServerFacts(String role, boolean isStandby, boolean isReadOnly, String searchPath) {
    private static final String QUERY = "SELECT current_user, pg_is_in_recovery(),"
            + " current_setting('default_transaction_read_only'), current_setting('search_path')";

    /** What is known of a server that does not understand the question. */
    static ServerFacts unasked(Connection session) throws SQLException {
        return new ServerFacts(session.getMetaData().getUserName(), false, false, "not known");
    }

    static ServerFacts of(Connection session) throws SQLException {
        return Rows.first(
                        session,
                        QUERY,
                        row -> new ServerFacts(
                                row.getString(1),
                                row.getBoolean(2),
                                row.getString(3).equals("on"),
                                row.getString(4)))
                .orElseThrow();
    }
}
