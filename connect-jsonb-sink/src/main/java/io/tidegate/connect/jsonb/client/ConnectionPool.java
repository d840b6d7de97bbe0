package io.tidegate.connect.jsonb.client;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.FairTurns;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.jsonb.client.PostgresDataSource.Failed;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's connections to one server with one login and one set of limits. All tasks and connectors with the same
 * settings share them. Creating the pool does not contact the server. Any thread borrows from it through its {@link
 * PoolLease}.
 */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final SharedResource<Key, ConnectionPool> POOLS = new SharedResource<>("connection pool");

    /**
     * How long an idle connection may take to show that it is alive. This is also how fast a hung server is detected.
     */
    private static final Duration VALIDATION = Duration.ofSeconds(2);

    /** How long close() waits. A connection that is being opened can make it take longer. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private static final String APPLICATION_NAME = "ApplicationName";

    private final PostgresDataSource sessions;
    private final FairTurns turns;
    private final Duration mostWait;
    private final PoolMetrics metrics;
    private final HikariDataSource pool;
    private volatile boolean isNamed; // by the URL, or the server does not let a session change its name

    /** The settings that users of one pool have in common. */
    private record Key(ServerLogin login, PoolLimits limits) {
        @Override
        public String toString() {
            return login.toString();
        }
    }

    private ConnectionPool(Key key, String sessionName) {
        this.sessions =
                new PostgresDataSource(key.login(), key.limits(), sessionName, this::isWaitedFor, this::evictAll);
        this.isNamed = key.login().sets(PGProperty.APPLICATION_NAME);
        this.turns = new FairTurns(key.limits().size());
        this.mostWait = key.limits().poolWait();
        this.metrics = new PoolMetrics(key.toString(), turns::waiting, sessions::openedTotal);
        this.pool = new HikariDataSource(configure(key));
    }

    static SharedResource.Lease<ConnectionPool> lease(ConnectionSettings settings) {
        return POOLS.lease(
                new Key(settings.login(), settings.limits()), key -> new ConnectionPool(key, settings.sessionName()));
    }

    private HikariConfig configure(Key key) {
        PoolLimits limits = key.limits();
        HikariConfig config = new HikariConfig();
        config.setPoolName("tidegate " + key);
        config.setDataSource(sessions);
        config.setMaximumPoolSize(limits.size());
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1); // a task starts even while the server is down
        config.setConnectionTimeout(limits.poolWait().toMillis());
        config.setValidationTimeout(
                Math.min(VALIDATION.toMillis(), limits.poolWait().toMillis()));
        config.setAutoCommit(true);
        config.setExceptionOverride(new PoolEviction());
        config.setMetricsTrackerFactory(metrics);
        config.setScheduledExecutor(PoolThreads.clockOfAll());
        config.setKeepaliveTime(0); // its question would hold up the clock of all pools at a server that hangs
        return config;
    }

    private boolean isWaitedFor() {
        return pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0;
    }

    /** Borrows a connection as soon as one is free, although others may wait for a turn. */
    Connection borrow() throws SQLException {
        long begun = System.nanoTime();
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            // A state says how an idle connection was lost. Why none could be opened since then says more.
            Optional<Failed> failed =
                    sessions.lastFailure().filter(last -> e.getSQLState() == null || last.at() - begun > 0);
            throw failed.map(last -> explained(e, last.reason())).orElse(e);
        }
    }

    /** Counts a user, until {@link #leave}. */
    void join(String user) {
        turns.join(user);
    }

    void leave(String user) {
        turns.leave(user);
    }

    /** Begins to wait for a user's turn to borrow a connection. */
    FairTurns.Turn turnOf(String user) {
        return turns.request(user);
    }

    /** Borrows a connection when it is the user's turn, which ends after the connection has been given back. */
    Connection borrowIn(FairTurns.Turn turn) throws SQLException {
        long begun = System.nanoTime();
        if (!isHeld(turn)) {
            metrics.timedOut();
            SQLTransientConnectionException late =
                    new SQLTransientConnectionException("Connection is not available: others used all "
                            + pool.getMaximumPoolSize() + " for " + mostWait.toMillis() + " ms");
            throw sessions.lastFailure()
                    .map(last -> explained(late, last.reason()))
                    .orElse(late);
        }
        Connection connection = borrow();
        metrics.waited(System.nanoTime() - begun);
        return connection;
    }

    private boolean isHeld(FairTurns.Turn turn) throws SQLException {
        try {
            return turn.await(mostWait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a connection", e);
        }
    }

    /**
     * While opening a session is retried, only the source of sessions knows why there is none. If the server has no session
     * left for us beside those in use, it is only busy, so there is no state that would make it an outage.
     */
    private SQLTransientConnectionException explained(SQLTransientConnectionException e, SQLException reason) {
        String state = reason.getSQLState();
        boolean isBusy = SqlState.TOO_MANY_CONNECTIONS.equals(state)
                && pool.getHikariPoolMXBean().getActiveConnections() > 0;
        return isBusy
                ? new SQLTransientConnectionException(
                        e.getMessage() + ": " + PostgresFailures.describe(reason), null, reason)
                : new SQLTransientConnectionException(e.getMessage(), state, reason);
    }

    void name(Connection borrowed, String sessionName) throws SQLException {
        if (isNamed) {
            return;
        }
        try {
            borrowed.setClientInfo(APPLICATION_NAME, sessionName);
        } catch (SQLException e) {
            if (!PostgresFailures.isUnsupported(e)) {
                throw e;
            }
            isNamed = true;
        }
    }

    long serverChanges() {
        return sessions.serverChanges();
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
