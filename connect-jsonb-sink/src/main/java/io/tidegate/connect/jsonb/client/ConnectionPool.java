package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a worker to one server with one set of credentials, bounded, shared by all its tasks and
 * connectors. Its bounds are the largest that its present users ask for. Opened without reaching for the server; any
 * thread borrows from it, through its {@link PoolLease}.
 */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final SharedResource<ServerLogin, ConnectionPool> POOLS = new SharedResource<>("connection pool");

    /** How long a connection that was idle may take to show that it is alive; a hung server is found out by then. */
    private static final Duration VALIDATION = Duration.ofSeconds(2);

    /** How long close() waits; a connection that is just being opened can make it take longer. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private static final String APPLICATION_NAME = "ApplicationName";

    private final ServerLogin login;
    private final PostgresDataSource sessions;
    private final PoolMetrics metrics;
    private final HikariDataSource pool;
    private final List<PoolLimits> users = new ArrayList<>(); // guarded by this
    private PoolLimits limits; // guarded by this

    private ConnectionPool(ConnectionSettings settings) {
        this.login = settings.login();
        this.limits = settings.limits();
        this.sessions =
                new PostgresDataSource(login, limits, settings.sessionName(), this::isWaitedFor, this::evictAll);
        this.metrics = new PoolMetrics(login.toString());
        this.pool = new HikariDataSource(configure());
    }

    /** To be joined before it is used: see {@link PoolLease}. */
    static SharedResource.Lease<ConnectionPool> lease(ConnectionSettings settings) {
        return POOLS.lease(settings.login(), login -> new ConnectionPool(settings));
    }

    private HikariConfig configure() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("tidegate " + login);
        config.setDataSource(sessions);
        config.setMaximumPoolSize(limits.size());
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1); // a task starts while the server is down
        config.setConnectionTimeout(limits.poolWait().toMillis());
        config.setValidationTimeout(
                Math.min(VALIDATION.toMillis(), limits.poolWait().toMillis()));
        config.setAutoCommit(true);
        config.setExceptionOverride(new ReadOnlyEviction());
        config.setMetricsTrackerFactory(metrics);
        return config;
    }

    synchronized void join(PoolLimits wanted) {
        boolean differs = !users.isEmpty() && !users.contains(wanted);
        users.add(wanted);
        if (differs) {
            log.warn(
                    "Connectors with different settings share the connections to {}. The largest of each counts, and {}"
                            + " is what a worker opens: {}. Give all of them the same settings to plan by",
                    login,
                    ConnectionSettings.POOL_MAX_SIZE,
                    largest());
        }
        limit(largest());
    }

    synchronized void leave(PoolLimits wanted) {
        users.remove(wanted);
        if (!users.isEmpty()) {
            limit(largest());
        }
    }

    private PoolLimits largest() {
        return users.stream().reduce(PoolLimits::largest).orElse(limits);
    }

    /** Connections beyond the new bounds, or with another time-out, go as soon as nobody uses them. */
    private void limit(PoolLimits now) {
        PoolLimits before = limits;
        limits = now;
        if (now.equals(before)) {
            return;
        }
        log.info("The connections to {} are bounded by {} from now on", login, now);
        sessions.limit(now);
        pool.setMaximumPoolSize(now.size());
        pool.setConnectionTimeout(now.poolWait().toMillis());
        if (now.size() < before.size() || !now.socketTimeout().equals(before.socketTimeout())) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private boolean isWaitedFor() {
        return pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0;
    }

    /** As long as opening is tried again, only the source of sessions knows why there is none. */
    Connection borrow() throws SQLException {
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            Optional<SQLException> reason = e.getSQLState() == null ? sessions.lastFailure() : Optional.empty();
            if (reason.isEmpty()) {
                throw e;
            }
            throw new SQLTransientConnectionException(
                    e.getMessage(), reason.get().getSQLState(), reason.get());
        }
    }

    void name(Connection borrowed, String sessionName) throws SQLException {
        sessions.limitAnswers(borrowed);
        if (sessions.namesSessions()) {
            borrowed.setClientInfo(APPLICATION_NAME, sessionName);
        }
    }

    void evictAll(String why) {
        log.info("Closing the connections of {}: {}", pool.getPoolName(), why);
        metrics.evicted();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    /** What operators may read of this pool, from any thread. */
    List<Metric> metrics() {
        return metrics.all();
    }

    /** Waits a moment only: a task that stops has no time for a server that does not answer. */
    @Override
    public void close() {
        sessions.close();
        Thread closing = new Thread(pool::close, "tidegate-pool-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
