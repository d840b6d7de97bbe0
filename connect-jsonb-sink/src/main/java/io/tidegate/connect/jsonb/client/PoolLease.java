package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.FairTurns;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** One user's share of a worker's connections to one server. A task holds it while it runs. Any thread may use it. */
public final class PoolLease implements AutoCloseable {
    private final SharedResource.Lease<ConnectionPool> pool;
    private final String connector;
    private final String sessionName;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /** Joins the users of the pool with these settings. Does not contact the server. */
    public PoolLease(ConnectionSettings settings) {
        this.pool = ConnectionPool.lease(settings);
        this.connector = settings.connector();
        this.sessionName = settings.sessionName();
        pool.get().join(connector);
    }

    /** Borrows a connection in autocommit mode, for a single use. Waits no longer than the settings say. */
    public Connection borrow() throws SQLException {
        return pool.get().borrow();
    }

    /** Begins to wait for this connector's turn, which the caller ends. */
    FairTurns.Turn turn() {
        return pool.get().turnOf(connector);
    }

    /**
     * Borrows a connection in autocommit mode when it is this connector's turn. Waits for the turn no longer than the
     * settings say, and as long again while the server does not open a session. The caller names its session, gives the
     * connection back, and then ends the turn.
     */
    Connection borrowIn(FairTurns.Turn turn) throws SQLException {
        return pool.get().borrowIn(turn);
    }

    /**
     * Names the session after its user. It costs a round trip only if another connector used the session last, because
     * the driver knows the current name.
     */
    void name(Connection borrowed) throws SQLException {
        pool.get().name(borrowed, sessionName);
    }

    /** How often the connections have found another server than before. Any thread may call it. */
    public long serverChanges() {
        return pool.get().serverChanges();
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
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            pool.get().leave(connector);
        }
        pool.close();
    }
}
