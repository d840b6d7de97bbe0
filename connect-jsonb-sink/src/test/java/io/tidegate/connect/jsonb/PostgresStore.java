package io.tidegate.connect.jsonb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.scenarios.Store;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL server with a table for each topic, whose rows are unique by their coordinates in Kafka. */
public class PostgresStore implements Store {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Duration SAMPLING = Duration.ofMillis(20);
    private static final String SINK_SESSIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tidegate%'";

    /** Their names end with a worker. Those of validation and of the watch for the primary are not of a pool. */
    private static final String POOL_SESSIONS = SINK_SESSIONS.replace("tidegate%", "tidegate%]");

    private static final int VALIDATION_SECONDS = 2;

    /** One for each server: a login costs more CPU than most statements. */
    private static final Map<Postgres, AtomicReference<Connection>> IDLE =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final Postgres server;

    public PostgresStore(Postgres server) {
        this.server = server;
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("POSTGRES_URL", server.workerJdbcUrl(), "POSTGRES_PASSWORD", server.password());
    }

    @Override
    public Map<String, String> sinkConfig() {
        return Map.of(
                "connector.class", JsonbSinkConnector.class.getName(),
                "connection.url", "${env:POSTGRES_URL}",
                "connection.user", server.user(),
                "connection.password", "${env:POSTGRES_PASSWORD}",
                "pk.mode", "kafka",
                "insert.mode", "ignore",
                "retry.backoff.max.ms", "500");
    }

    @Override
    public Map<String, String> impatience() {
        return Map.of("socket.timeout.ms", "1000");
    }

    @Override
    public void create(String topic) {
        execute("CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL, __connect_topic text, __connect_partition int,"
                + " __connect_offset bigint, UNIQUE (__connect_topic, __connect_partition, __connect_offset))");
    }

    @Override
    public void clear(String topic) {
        execute("TRUNCATE \"" + topic + "\"");
    }

    @Override
    public long count(String table) {
        return Long.parseLong(column("SELECT count(*) FROM \"" + table + "\"").get(0));
    }

    @Override
    public List<Long> numbers(String topic) {
        return column("SELECT (doc->>'n')::bigint FROM \"" + topic + "\" ORDER BY 1").stream()
                .map(Long::valueOf)
                .toList();
    }

    @Override
    public JsonNode object(String topic, long n) {
        List<String> found = column("SELECT doc::text FROM \"" + topic + "\" WHERE doc->>'n' = '" + n + "'");
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " rows with n=" + n);
        }
        try {
            return MAPPER.readTree(found.get(0));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A connector's settings with those of this server. */
    public Map<String, String> connected(Map<String, String> settings) {
        return connected(settings, "");
    }

    /** As {@link #connected(Map)}, with parameters of the driver. */
    public Map<String, String> connected(Map<String, String> settings, String urlParameters) {
        Map<String, String> props = new HashMap<>(settings);
        props.put("connection.url", server.jdbcUrl() + urlParameters);
        props.put("connection.user", server.user());
        props.put("connection.password", server.password());
        return props;
    }

    public void execute(String sql) {
        boolean unused = with(sql, statement -> statement.execute(sql));
    }

    /** The first column of every row. */
    public List<String> column(String sql) {
        return with(sql, statement -> {
            List<String> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        });
    }

    @FunctionalInterface
    private interface Use<T> {
        T of(Statement statement) throws SQLException;
    }

    private <T> T with(String sql, Use<T> use) {
        AtomicReference<Connection> idle = IDLE.computeIfAbsent(server, unused -> new AtomicReference<>());
        try {
            Connection connection = connection(idle);
            try {
                T result;
                try (Statement statement = connection.createStatement()) {
                    result = use.of(statement);
                }
                connection = idle.getAndSet(connection);
                return result;
            } finally {
                if (connection != null) {
                    connection.close();
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Closes the idle connection, for tests that count those to the server. */
    public void disconnect() throws SQLException {
        Connection known = IDLE.getOrDefault(server, new AtomicReference<>()).getAndSet(null);
        if (known != null) {
            known.close();
        }
    }

    /** The idle connection, if it works and no other thread uses it, or else a new one. */
    private Connection connection(AtomicReference<Connection> idle) throws SQLException {
        Connection known = idle.getAndSet(null);
        if (known == null) {
            return server.connect();
        }
        if (known.isValid(VALIDATION_SECONDS)) {
            return known;
        }
        known.close();
        return server.connect();
    }

    /** Whether the rows' field n has so many different values. It looks into documents only if there are enough. */
    boolean hasDistinct(String table, long values) {
        return count(table) >= values && countDistinct(table) == values;
    }

    /** Different values of the rows' field n. */
    long countDistinct(String table) {
        return Long.parseLong(column("SELECT count(DISTINCT doc->>'n') FROM \"" + table + "\"")
                .get(0));
    }

    /**
     * The rows of a table.
     *
     * @param distinct different values of their field n
     */
    record Rows(long all, long distinct) {}

    Rows rows(String table) {
        return new Rows(count(table), countDistinct(table));
    }

    /** Those of them that belong to pools. */
    int poolSessions() {
        return Integer.parseInt(column(POOL_SESSIONS).get(0));
    }

    /** Server sessions that the sink has open. */
    public int sinkSessions() {
        return Integer.parseInt(column(SINK_SESSIONS).get(0));
    }

    /** Adds the number of the pools' sessions every few milliseconds, until it is interrupted. */
    void samplePoolSessions(List<Integer> seen) {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            while (!Thread.currentThread().isInterrupted()) {
                try (ResultSet rows = statement.executeQuery(POOL_SESSIONS)) {
                    rows.next();
                    seen.add(rows.getInt(1));
                }
                LockSupport.parkNanos(SAMPLING.toNanos());
            }
        } catch (SQLException e) {
            throw new AssertionError("counting sessions", e);
        }
    }

    /** Opens connections until the server has none left. */
    void takeAllConnections(List<Connection> taken) {
        while (true) {
            try {
                taken.add(server.connect());
            } catch (SQLException e) {
                if ("53300".equals(e.getSQLState())) {
                    return;
                }
                throw new AssertionError(e);
            }
        }
    }

    /** Asked over an existing connection. */
    static int rows(Connection connection, String table) throws SQLException {
        return count(connection, "*", table);
    }

    /** How many documents have a different n, asked over an existing connection. */
    static int distinct(Connection connection, String table) throws SQLException {
        return count(connection, "DISTINCT doc->>'n'", table);
    }

    private static int count(Connection connection, String counted, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(" + counted + ") FROM \"" + table + "\"")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
