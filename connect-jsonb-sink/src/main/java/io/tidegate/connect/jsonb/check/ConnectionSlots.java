package io.tidegate.connect.jsonb.check;

import io.tidegate.connect.common.spi.ServerCheck.Finding;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * How many connections a server has for a role. The tightest limit counts: the server's, the database's or the role's.
 *
 * @param limit most that the role could have if nobody else had any
 * @param free those that nobody uses
 * @param ours those that Tidegate's workers already use
 */
record ConnectionSlots(int limit, int free, int ours) {
    /** A role sees the sessions of others, but not their type. Limits do not apply to a superuser. */
    private static final String QUERY = """
            WITH session AS (
              SELECT datname, usename, application_name FROM pg_catalog.pg_stat_activity
              WHERE usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
                AND pid <> pg_backend_pid()),
            bound AS (
              SELECT current_setting('max_connections')::int - CASE WHEN r.rolsuper THEN 0
                  ELSE current_setting('superuser_reserved_connections')::int
                    + coalesce(current_setting('reserved_connections', true)::int, 0) END AS most,
                (SELECT count(*) FROM session) AS used
              FROM pg_catalog.pg_roles r WHERE r.rolname = current_user
              UNION ALL
              SELECT r.rolconnlimit, (SELECT count(*) FROM session WHERE usename = current_user)
              FROM pg_catalog.pg_roles r WHERE r.rolname = current_user AND r.rolconnlimit >= 0 AND NOT r.rolsuper
              UNION ALL
              SELECT d.datconnlimit, (SELECT count(*) FROM session WHERE datname = current_database())
              FROM pg_catalog.pg_database d, pg_catalog.pg_roles r
              WHERE d.datname = current_database() AND d.datconnlimit >= 0
                AND r.rolname = current_user AND NOT r.rolsuper)
            SELECT min(most), min(most - used), (SELECT count(*) FROM session
                WHERE usename = current_user AND application_name LIKE 'tidegate%')
            FROM bound""";

    static ConnectionSlots of(Connection session) throws SQLException {
        return Rows.first(session, QUERY, row -> new ConnectionSlots(row.getInt(1), row.getInt(2), row.getInt(3)))
                .orElseThrow();
    }

    /** Returns what is wrong with a pool of this size. The worker that is asked does not know the other workers. */
    Optional<Finding> findings(int poolSize) {
        String plan = ". Each worker opens up to " + ConnectionSettings.POOL_MAX_SIZE + "=" + poolSize
                + ", so that N workers need N x " + poolSize
                + ". Lower it, or raise the server's max_connections or the CONNECTION LIMIT of role or database";
        if (poolSize > limit) {
            return Optional.of(Finding.wrong(
                    ConnectionSettings.POOL_MAX_SIZE,
                    "the server gives this role no more than " + limit + " connections" + plan));
        }
        if (poolSize > free + ours) {
            return Optional.of(Finding.unavailable(
                    ConnectionSettings.POOL_MAX_SIZE,
                    "the server has " + free + " of " + limit + " connections left for this role, and " + ours
                            + " are in use by Tidegate's workers already" + plan));
        }
        return Optional.empty();
    }
}
