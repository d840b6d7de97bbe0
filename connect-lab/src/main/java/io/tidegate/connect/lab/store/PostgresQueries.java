package io.tidegate.connect.lab.store;

import io.tidegate.connect.cli.ToolException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * This program's own connection to a PostgreSQL server, for queries about the server's clients. Its application name
 * tells it apart from theirs. Not thread-safe.
 */
public final class PostgresQueries implements AutoCloseable {
    private static final String APPLICATION = "tidegate-questions";
    private static final String CONNECTIONS = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE backend_type = 'client backend' AND application_name <> '" + APPLICATION + "'";

    private static final int FETCH = 10_000;

    private final String server;
    private final Connection connection;
    private long statements;
    private long backend;

    private PostgresQueries(String server, Connection connection) {
        this.server = server;
        this.connection = connection;
    }

    /** Reads a row of a result. */
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Connects.
     *
     * @param server the server's name in messages
     */
    public static PostgresQueries open(String server, String jdbcUrl, String user, String password)
            throws ToolException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", APPLICATION);
        try {
            return new PostgresQueries(server, DriverManager.getConnection(jdbcUrl, properties));
        } catch (SQLException e) {
            throw failed(server, "connecting", e);
        }
    }

    /** Executes statements, each in a separate transaction. */
    public void execute(String... all) throws ToolException {
        for (String sql : all) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                statements++;
            } catch (SQLException e) {
                throw failed(server, sql, e);
            }
        }
    }

    /** Runs a query whose result is one number. */
    public long number(String query) throws ToolException {
        return rows(query, row -> row.getLong(1)).get(0);
    }

    public <T> List<T> rows(String query, Row<T> read) throws ToolException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(read.read(rows));
            }
            statements++;
            return all;
        } catch (SQLException e) {
            throw failed(server, query, e);
        }
    }

    /** Processes each row of a large result. */
    @FunctionalInterface
    public interface RowConsumer {
        /** Called with the result set at the next row. */
        void accept(ResultSet row) throws SQLException;
    }

    /** Reads a result of any size, {@value #FETCH} rows at a time. */
    public void scan(String query, RowConsumer consumer) throws ToolException {
        try {
            connection.setAutoCommit(false); // The driver fetches in parts only within a transaction.
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(FETCH);
                try (ResultSet rows = statement.executeQuery(query)) {
                    while (rows.next()) {
                        consumer.accept(rows);
                    }
                }
                statements++;
            } finally {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw failed(server, query, e);
        }
    }

    /** The number of connections, without this program's own. */
    public int connections() throws ToolException {
        return (int) number(CONNECTIONS);
    }

    /** The CPU time that the server's process of this session has used, in seconds; 0 if it has ended. */
    public double cpuSeconds() throws ToolException {
        if (backend == 0) {
            backend = number("SELECT pg_backend_pid()");
        }
        return ProcessHandle.of(backend)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(time -> time.toMillis() / 1e3)
                .orElse(0.0);
    }

    /** The number of statements that this object has executed, each in a separate transaction. */
    public long statements() {
        return statements;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // The server closes the connection when it stops.
        }
    }

    private static ToolException failed(String server, String what, SQLException e) {
        return new ToolException(
                server + ": " + what + " failed: " + e.getMessage() + " (SQLSTATE " + e.getSQLState() + ")", e);
    }
}
