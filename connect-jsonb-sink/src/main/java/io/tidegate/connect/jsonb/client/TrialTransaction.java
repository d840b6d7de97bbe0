package io.tidegate.connect.jsonb.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that looks like a connection in autocommit mode and is never committed. Each statement begins with a
 * savepoint, so that a failed one undoes itself and nothing else. One thread uses it.
 *
 * <p>It waits only briefly for locks. Deferred constraints are checked with each statement, as a commit would do.
 */
final class TrialTransaction implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TrialTransaction.class);

    private static final String BEGIN = "SET LOCAL lock_timeout = '2s'; SET CONSTRAINTS ALL IMMEDIATE";
    private static final String FIRST_SAVEPOINT = "SAVEPOINT tidegate_trial";
    private static final String NEXT_SAVEPOINT = "RELEASE SAVEPOINT tidegate_trial; SAVEPOINT tidegate_trial";
    private static final String UNDO = "ROLLBACK TO SAVEPOINT tidegate_trial";

    /** What a statement, or a COPY, begins with. */
    private static final Set<String> BEGINNINGS =
            Set.of("createStatement", "prepareStatement", "prepareCall", "unwrap");

    /** What would end the transaction or change what it is. */
    private static final Set<String> FORBIDDEN =
            Set.of("commit", "rollback", "setAutoCommit", "setSavepoint", "releaseSavepoint");

    private Optional<Connection> real = Optional.empty();
    private boolean isProtected;

    /** Opens a connection. */
    @FunctionalInterface
    interface Source {
        Connection open() throws SQLException;
    }

    /** The transaction as a connection. Closing that changes nothing. */
    Connection connection(Source source) throws SQLException {
        if (real.isEmpty()) {
            real = Optional.of(begun(source.open()));
        }
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, this::invoke);
    }

    private static Connection begun(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
            run(connection, BEGIN);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        Connection connection = real.orElseThrow();
        if (method.getName().equals("close")) {
            return null;
        }
        if (method.getName().equals("getAutoCommit")) {
            return true;
        }
        if (FORBIDDEN.contains(method.getName())) {
            throw new UnsupportedOperationException(method.getName());
        }
        if (BEGINNINGS.contains(method.getName())) {
            protect(connection);
        }
        try {
            return method.invoke(connection, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Undoes the last statement if it failed, and makes sure that the next one can be undone alone. */
    private void protect(Connection connection) throws SQLException {
        boolean isFailed = connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        run(connection, !isProtected ? FIRST_SAVEPOINT : isFailed ? UNDO : NEXT_SAVEPOINT);
        isProtected = true;
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Undoes everything. */
    @Override
    public void close() {
        try {
            if (real.isPresent()) {
                try (Connection connection = real.get()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException e) {
            log.debug("The trial's connection is broken, so the server undoes the trial", e);
        }
        real = Optional.empty();
    }
}
