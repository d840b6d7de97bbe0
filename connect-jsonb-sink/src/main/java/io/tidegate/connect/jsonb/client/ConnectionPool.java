package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.spi.ServerSight;
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
 * A worker's connections to one server with one set of credentials. All tasks and connectors share them. Where its
 * users set different limits, the largest counts. Creating the pool does not contact the server. Any thread borrows
 * from it through its {@link PoolLease}.
 */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final SharedResource<ServerLogin, ConnectionPool> POOLS = new SharedResource<>("connection pool");

    /**
     * How long an idle connection may take to show that it is alive. This is also how fast a hung server is detected.
     */
    private static final Duration VALIDATION = Duration.ofSeconds(2);

    /** How long close() waits. A connection that is being opened can make it take longer. */
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

    /** The lease must join the pool before it is used: see {@link PoolLease}. */
    static SharedResource.Lease<ConnectionPool> lease(ConnectionSettings settings) {
        return POOLS.lease(settings.login(), login -> new ConnectionPool(settings));
    }

    private HikariConfig configure() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("tidegate " + login);
        config.setDataSource(sessions);
        config.setMaximumPoolSize(limits.size());
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1); // a task starts even while the server is down
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

    /** If the pool shrinks or the socket time-out changes, every connection is closed as soon as nobody uses it. */
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

    /** While opening a session is retried, only the source of sessions knows why there is none. */
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

    /** See {@link PoolLease#see}. */
    boolean see(Connection borrowed) throws SQLException {
        return sessions.see(borrowed).isPresent();
    }

    ServerSight sight() {
        return sessions.sight();
    }

    void evictAll(String why) {
        log.info("Closing the connections of {}: {}", pool.getPoolName(), why);
        metrics.evicted();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    /** The pool's metrics for operators. Any thread may read them. */
    List<Metric> metrics() {
        return metrics.all();
    }

    /** Waits only briefly: a task that stops has no time for a server that does not answer. */
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
