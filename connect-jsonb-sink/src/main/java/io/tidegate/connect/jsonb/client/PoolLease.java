package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.PoolLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One user's share in the connections of a worker to one server: a task's, for as long as it runs. Any thread. */
public final class PoolLease implements AutoCloseable {
    private final SharedResource.Lease<ConnectionPool> pool;
    private final PoolLimits limits;
    private final String sessionName;
    private boolean closed; // guarded by this

    private PoolLease(SharedResource.Lease<ConnectionPool> pool, PoolLimits limits, String sessionName) {
        this.pool = requireNonNull(pool, "pool");
        this.limits = requireNonNull(limits, "limits");
        this.sessionName = requireNonNull(sessionName, "sessionName");
    }

    /** Joins those who use this server with these credentials. Does not reach for the server. */
    public static PoolLease join(ConnectionSettings settings) {
        SharedResource.Lease<ConnectionPool> pool = ConnectionPool.lease(settings);
        pool.get().join(settings.limits());
        return new PoolLease(pool, settings.limits(), settings.sessionName());
    }

    /** Borrows a connection in autocommit mode; waits no longer than the settings say. Its session is to be named. */
    public Connection borrow() throws SQLException {
        return pool.get().borrow();
    }

    /**
     * Names the session after its user, and gives it the present time-out. It costs a round trip only where the last one to use it was another
     * connector: the driver knows the present name.
     */
    void name(Connection borrowed) throws SQLException {
        pool.get().name(borrowed, sessionName);
    }

    /** The server is gone or no longer the primary: every connection is closed as soon as nobody uses it. */
    public void evictAll(String why) {
        pool.get().evictAll(why);
    }

    /** What operators may read of the pool, from any thread. */
    public List<Metric> metrics() {
        return pool.get().metrics();
    }

    /** Closing it again does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            pool.get().leave(limits);
            pool.close();
        }
    }
}
