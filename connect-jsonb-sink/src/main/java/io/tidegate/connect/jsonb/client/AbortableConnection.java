package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a writer is doing now, for those who have to cancel it: waiting for a connection, or using one. The writer's
 * thread begins and ends it, any thread aborts it.
 */
public final class AbortableConnection {
    private static final Logger log = LoggerFactory.getLogger(AbortableConnection.class);

    private final PoolLease pool;
    private Optional<Thread> waiting = Optional.empty(); // guarded by this
    private Optional<Connection> used = Optional.empty(); // guarded by this
    private boolean aborted; // guarded by this

    /** One writer's. */
    public AbortableConnection(PoolLease pool) {
        this.pool = requireNonNull(pool, "pool");
    }

    /** Waits for a connection no longer than the pool allows, or until the attempt is aborted. */
    public Connection borrow() throws SQLException {
        begin();
        Connection connection;
        try {
            connection = use(pool.borrow());
        } catch (SQLException e) {
            throw isAborted() ? cancelled(e) : e;
        } finally {
            stopWaiting();
        }
        try {
            pool.name(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** As when the pool had none to give: no outage, and nothing is wrong with other connections. */
    private static SQLException cancelled(SQLException cause) {
        return new SQLTransientConnectionException("cancelled while waiting for a connection", cause);
    }

    private synchronized void begin() {
        aborted = false;
        waiting = Optional.of(Thread.currentThread());
    }

    private synchronized Connection use(Connection connection) throws SQLException {
        if (aborted) {
            connection.close();
            throw new SQLException("too late");
        }
        used = Optional.of(connection);
        return connection;
    }

    /** The interrupt of an abort was for the waiting only. */
    private synchronized void stopWaiting() {
        waiting = Optional.empty();
        if (aborted) {
            boolean unused = Thread.interrupted();
        }
    }

    /** The pool's other connections are no good either; unless the attempt was aborted, which says nothing of them. */
    public void evictAll(String why) {
        if (!isAborted()) {
            pool.evictAll(why);
        }
    }

    private synchronized boolean isAborted() {
        return aborted;
    }

    public synchronized void end() {
        used = Optional.empty();
    }

    /** The thread that writes gets an error soon; the server's session ends with its connection. */
    public synchronized void abort() {
        aborted = true;
        waiting.ifPresent(Thread::interrupt);
        used.ifPresent(AbortableConnection::abort);
    }

    /** Never waits: TLS may hold the driver up in the statement that is to be cancelled. */
    private static void abort(Connection connection) {
        try {
            // Past the pool's proxy, which would wait for the statement that is to be cancelled.
            Connection physical = (Connection) connection.unwrap(PGConnection.class);
            WatchedSockets.cut(physical);
            physical.abort(work -> {
                Thread thread = new Thread(work, "tidegate-abort");
                thread.setDaemon(true);
                thread.start();
            });
        } catch (SQLException e) {
            log.warn("A statement could not be cancelled: {}", PostgresFailures.describe(e));
        }
    }
}
