package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.jsonb.settings.CommitDurability;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Gives a new session the durability that its commits must have. A pooler may give the server's session to others, so
 * nothing is set through a pooler. The role must already have the right value there. The thread that opens sessions
 * uses it.
 */
public final class SessionDurability {
    private static final String PRESENT =
            "SELECT pg_catalog.pg_backend_pid(), pg_catalog.current_setting('synchronous_commit')";

    private SessionDurability() {}

    /**
     * Costs two round trips, or none if the server decides.
     *
     * @throws SQLException with {@link SqlState#FEATURE_NOT_SUPPORTED} if there is a pooler and the role's commits have
     *     another durability
     */
    public static void apply(Connection session, CommitDurability durability) throws SQLException {
        if (durability == CommitDurability.SERVER) {
            return;
        }
        String wanted = EnumSetting.text(durability);
        try {
            Present present = Rows.first(session, PRESENT, row -> new Present(row.getInt(1), row.getString(2)))
                    .orElseThrow();
            if (present.durability().equals(wanted)) {
                return;
            }
            if (session.unwrap(PGConnection.class).getBackendPID() != present.pid()) {
                throw refused("a pooler such as PgBouncer is between the sink and the server, whose sessions have"
                        + " synchronous_commit=" + present.durability() + ". Set it for the role: ALTER ROLE ... SET"
                        + " synchronous_commit = " + wanted + ", and let the pooler reconnect; or");
            }
            try (Statement statement = session.createStatement()) {
                boolean unused = statement.execute("SET synchronous_commit = " + wanted);
            }
        } catch (SQLException e) {
            boolean isRefused = PostgresFailures.isUnsupported(e)
                    && PostgresFailures.serverError(e).isPresent()
                    && !SqlState.INTERNAL_ERROR.equals(e.getSQLState()); // which a pooler also answers, and may pass
            if (isRefused) {
                SQLException refused = refused("the server does not take synchronous_commit=" + wanted + ": "
                        + PostgresFailures.describe(e) + ";");
                refused.initCause(e);
                throw refused;
            }
            throw e;
        }
    }

    /** Whether commits are confirmed before they are on the server's disk. */
    public static boolean isOff(Connection session) throws SQLException {
        return Rows.first(session, PRESENT, row -> row.getString(2).equals("off"))
                .orElse(false);
    }

    private static SQLException refused(String reason) {
        return new SQLException(
                reason + " use " + ConnectionSettings.COMMIT_DURABILITY + "=server", SqlState.FEATURE_NOT_SUPPORTED);
    }

    private record Present(int pid, String durability) {}
}
