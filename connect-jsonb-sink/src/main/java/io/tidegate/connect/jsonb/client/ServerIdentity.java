package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Tells a server from another one, and from itself before a restart. Any role may ask for it, also through a pooler.
 *
 * @param timeline eight hexadecimal digits: each promotion starts the next timeline; empty while the server is a standby
 * @param started when the server was started, in microseconds since 1970 UTC
 */
record ServerIdentity(String timeline, long started) {
    private static final String QUERY =
            "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN '' ELSE pg_catalog.substr("
                    + "pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END,"
                    + " (extract(epoch FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::int8";

    ServerIdentity {
        requireNonNull(timeline, "timeline");
    }

    boolean isStandby() {
        return timeline.isEmpty();
    }

    /**
     * Asks the server. One round trip.
     *
     * @return empty if the server does not know these functions, as some that speak PostgreSQL's protocol do not
     * @throws SQLException if the server does not answer
     */
    static Optional<ServerIdentity> of(Connection session) throws SQLException {
        try {
            return Rows.first(session, QUERY, row -> new ServerIdentity(row.getString(1), row.getLong(2)));
        } catch (SQLException e) {
            if (PostgresFailures.endsConnections(e)
                    || (!PostgresFailures.isUnsupported(e)
                            && PostgresFailures.classifyWithoutRows(e) == Failure.TRANSIENT)) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
