package io.tidegate.connect.jsonb.client;

import java.sql.Connection;
import java.sql.SQLException;
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

    private Optional<Thread> waiting = Optional.empty(); // guarded by this
    private Optional<Connection> used = Optional.empty(); // guarded by this
    private boolean aborted; // guarded by this

    /** Waits for a connection no longer than the pool allows, or until the attempt is aborted. */
    public Connection borrow(PoolLease pool) throws SQLException {
        begin();
        Connection connection;
        try {
            connection = use(pool.borrow());
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

    private synchronized void begin() {
        aborted = false;
        waiting = Optional.of(Thread.currentThread());
    }

    private synchronized Connection use(Connection connection) throws SQLException {
        if (aborted) {
            connection.close();
            throw new SQLException("cancelled while waiting for a connection", SqlState.CONNECTION_FAILURE);
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
