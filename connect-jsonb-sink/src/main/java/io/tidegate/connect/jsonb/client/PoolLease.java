package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.spi.ServerSight;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** One user's share of a worker's connections to one server. A task holds it while it runs. Any thread may use it. */
public final class PoolLease implements AutoCloseable {
    private final SharedResource.Lease<ConnectionPool> pool;
    private final PoolLimits limits;
    private final String sessionName;
    private final Optional<TrialTransaction> trial;
    private boolean closed; // guarded by this

    private PoolLease(
            SharedResource.Lease<ConnectionPool> pool,
            PoolLimits limits,
            String sessionName,
            Optional<TrialTransaction> trial) {
        this.trial = requireNonNull(trial, "trial");
        this.pool = requireNonNull(pool, "pool");
        this.limits = requireNonNull(limits, "limits");
        this.sessionName = requireNonNull(sessionName, "sessionName");
    }

    /** Joins the users of this server with these credentials. Does not contact the server. */
    public static PoolLease join(ConnectionSettings settings) {
        return join(settings, Optional.empty());
    }

    /**
     * The same, but all connections that it gives are one transaction, which is undone when the lease is closed. Only one
     * thread may use it.
     */
    public static PoolLease joinForTrial(ConnectionSettings settings) {
        return join(settings, Optional.of(new TrialTransaction()));
    }

    private static PoolLease join(ConnectionSettings settings, Optional<TrialTransaction> trial) {
        SharedResource.Lease<ConnectionPool> pool = ConnectionPool.lease(settings);
        pool.get().join(settings.limits());
        return new PoolLease(pool, settings.limits(), settings.sessionName(), trial);
    }

    /**
     * Borrows a connection in autocommit mode. Waits no longer than the settings say. The caller then names its
     * session.
     */
    public Connection borrow() throws SQLException {
        return trial.isPresent()
                ? trial.get().connection(() -> pool.get().borrow())
                : pool.get().borrow();
    }

    /**
     * Names the session after its user, and sets the current time-out. It costs a round trip only if another connector
     * used the session last, because the driver knows the current name.
     */
    void name(Connection borrowed) throws SQLException {
        pool.get().name(borrowed, sessionName);
    }

    /**
     * Asks which server is behind a connection, and closes the others if it is another one than before.
     *
     * @return whether the server told
     */
    public boolean see(Connection borrowed) throws SQLException {
        return pool.get().see(borrowed);
    }

    /** What the connections have shown of the server. Any thread may call it. */
    public ServerSight sight() {
        return pool.get().sight();
    }

    /** Closes every connection as soon as nobody uses it: the server is gone, or is no longer the primary. */
    public void evictAll(String why) {
        pool.get().evictAll(why);
    }

    /** The pool's metrics for operators. Any thread may read them. */
    public List<Metric> metrics() {
        return pool.get().metrics();
    }

    /** Closing it again does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            trial.ifPresent(TrialTransaction::close);
            pool.get().leave(limits);
            pool.close();
        }
    }
}
