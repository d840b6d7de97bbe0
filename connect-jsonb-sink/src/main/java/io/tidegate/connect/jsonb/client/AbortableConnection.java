package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.pool.FairTurns;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that a writer waits for or uses, so that others can cancel it. The writer's thread begins and ends an
 * attempt. Any thread can abort it.
 */
public final class AbortableConnection {
    private static final Logger log = LoggerFactory.getLogger(AbortableConnection.class);

    private final PoolLease pool;
    private Optional<Thread> waiting = Optional.empty(); // guarded by this
    private Optional<Connection> used = Optional.empty(); // guarded by this
    private Optional<Integer> process = Optional.empty(); // of the server, for the last connection; writer's thread
    private Optional<Integer> replicating = Optional.empty(); // a process with our commit; writer's thread
    private Optional<FairTurns.Turn> turn = Optional.empty(); // guarded by this
    private boolean aborted; // guarded by this

    /** For one writer. */
    public AbortableConnection(PoolLease pool) {
        this.pool = requireNonNull(pool, "pool");
    }

    /**
     * Waits for a connection until the pool's limit is reached or the attempt is aborted. It fails while the last commit
     * waits for a synchronous standby: more of them would wait too, and each keeps its session.
     */
    public Connection borrow() throws SQLException {
        Connection borrowed = borrowIn(begin());
        try {
            if (replicating.isPresent() && LateStatement.isReplicating(borrowed, replicating.get())) {
                throw new SQLException(
                        "process " + replicating.get() + " has committed the last statement of this lane, and waits for"
                                + " a synchronous standby",
                        SqlState.INSUFFICIENT_RESOURCES);
            }
            replicating = Optional.empty();
            return borrowed;
        } catch (Throwable e) { // also an error of the JVM, or the pool would be smaller
            borrowed.close();
            throw e;
        }
    }

    private Connection borrowIn(FairTurns.Turn begun) throws SQLException {
        Connection connection;
        try {
            connection = use(pool.borrowIn(begun));
        } catch (SQLException e) {
            throw isAborted() ? cancelled(e) : e;
        } finally {
            stopWaiting();
        }
        try {
            pool.name(connection);
            process = Optional.of(connection.unwrap(PGConnection.class).getBackendPID());
            return connection;
        } catch (Throwable e) { // also an error of the JVM, or the pool would be smaller
            connection.close();
            throw e;
        }
    }

    /**
     * Looks like the error of a pool without a free connection: it is no outage, and other connections are still good.
     */
    private static SQLException cancelled(SQLException cause) {
        return new SQLTransientConnectionException("cancelled while waiting for a connection", cause);
    }

    private synchronized FairTurns.Turn begin() {
        aborted = false;
        return beginAgain();
    }

    /** Begins to wait once more in the same attempt. */
    private synchronized FairTurns.Turn beginAgain() {
        end();
        FairTurns.Turn begun = pool.turn();
        turn = Optional.of(begun);
        waiting = Optional.of(Thread.currentThread());
        return begun;
    }

    private synchronized Optional<FairTurns.Turn> beginAgainUnlessAborted() {
        return aborted ? Optional.empty() : Optional.of(beginAgain());
    }

    private synchronized Connection use(Connection connection) throws SQLException {
        if (aborted) {
            connection.close();
            throw new SQLException("too late");
        }
        used = Optional.of(connection);
        return connection;
    }

    /** Clears the interrupt of an abort, which was meant for the wait only. */
    private synchronized void stopWaiting() {
        waiting = Optional.empty();
        if (aborted) {
            boolean unused = Thread.interrupted();
        }
    }

    /**
     * Closes the pool's other connections, because they do not work either. Does nothing if the attempt was aborted,
     * because an abort says nothing about them.
     */
    public void evictAll(String why) {
        if (!isAborted()) {
            pool.evictAll(why);
        }
    }

    private synchronized boolean isAborted() {
        return aborted;
    }

    /**
     * Ends the statement of this attempt that the server has not answered in time: it would go on, hold its locks, and
     * might be committed late. It does nothing when called again. The attempt's connection is lost, and another one is
     * borrowed meanwhile.
     *
     * @return what the server was doing with it; empty if the server does not answer, or does not show such a statement,
     *     for example behind a pooler
     */
    public Optional<String> endLate() {
        Optional<Integer> late = process;
        Optional<Connection> lost = lost();
        if (late.isEmpty() || lost.isEmpty()) {
            return Optional.empty();
        }
        try {
            lost.get().close(); // gives its place in the pool free
            Optional<FairTurns.Turn> begun = beginAgainUnlessAborted();
            if (begun.isEmpty()) {
                return Optional.empty();
            }
            try (Connection other = borrowIn(begun.get())) {
                Optional<String> ended = LateStatement.end(other, late.get());
                if (ended.isEmpty() && LateStatement.isReplicating(other, late.get())) {
                    replicating = late;
                }
                return ended;
            }
        } catch (SQLException e) {
            log.debug("A late statement was not found", e);
            return Optional.empty();
        } finally {
            process = Optional.empty();
            end(); // an abort that comes now finds nothing to close
        }
    }

    /** Writer's thread: whether the last statement was committed, and waited for a synchronous standby. */
    public boolean isReplicating() {
        return replicating.isPresent();
    }

    private synchronized Optional<Connection> lost() {
        return used;
    }

    /** Ends the attempt, whether or not it got a connection. The connection has been given back. */
    public synchronized void end() {
        used = Optional.empty();
        turn.ifPresent(FairTurns.Turn::end);
        turn = Optional.empty();
    }

    /** The writing thread soon gets an error. The server's session ends with its connection. */
    public synchronized void abort() {
        aborted = true;
        waiting.ifPresent(Thread::interrupt);
        used.ifPresent(connection -> abort(connection, work -> {
            Thread thread = new Thread(work, "tidegate-abort");
            thread.setDaemon(true);
            thread.start();
        }));
    }

    /** Closes a borrowed connection, so that the pool opens another one in its place. */
    public static void discard(Connection borrowed) {
        abort(borrowed, Runnable::run); // before the pool looks at it
        try {
            borrowed.createStatement().close();
        } catch (SQLException closed) {
            log.debug("The pool has learnt that this connection is closed", closed);
        }
    }

    /** Does not wait. With TLS, the statement to be cancelled may block what closes the session. */
    private static void abort(Connection connection, Executor closing) {
        try {
            if (connection.isClosed()) {
                return; // discarded before
            }
            // Bypasses the pool's proxy, which would wait for the statement that is to be cancelled.
            Connection physical = (Connection) connection.unwrap(PGConnection.class);
            WatchedSockets.cut(physical);
            physical.abort(closing);
        } catch (SQLException e) {
            log.warn("A statement could not be cancelled: {}", PostgresFailures.describe(e));
        }
    }
}
