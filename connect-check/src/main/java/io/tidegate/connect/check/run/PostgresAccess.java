package io.tidegate.connect.check.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidegate.connect.check.oracle.StoredItem;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A PostgreSQL server. The tables of a case begin with its name. */
public final class PostgresAccess implements StoreAccess {
    private static final String TOPIC = "__connect_topic";
    private static final String OFFSETS =
            "CREATE TABLE tidegate_offsets (connector text, topic text, partition integer,"
                    + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint,"
                    + " record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))";
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private final PostgresServer server =
            PostgresServer.builder().fastStart().maxConnections(400).build();

    @Override
    public String kind() {
        return "postgresql";
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public void open() {
        try {
            change("", OFFSETS);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the table of offsets: " + e.getMessage(), e);
        }
    }

    @Override
    public TcpProxy proxy() {
        return TcpProxy.to(server.host(), server.port());
    }

    @Override
    public Map<String, String> address(TcpProxy proxy) {
        return Map.of(
                "url",
                "jdbc:postgresql://%s:%d/%s".formatted(proxy.host(), proxy.port(), server.database()),
                "user",
                server.user(),
                "password",
                server.password());
    }

    @Override
    public void prepare(CheckCase planned, String name) throws SQLException {
        for (String statement : planned.store()) {
            change(name, CheckCase.named(statement, name));
        }
    }

    @Override
    public void change(String name, String change) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        }
    }

    private List<String> tables(Statement statement, String name) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND starts_with(relname, '" + name + "-')")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    @Override
    public List<StoredItem> read(CheckCase planned, String name) throws SQLException {
        List<StoredItem> items = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement, name)) {
                try (ResultSet rows = statement.executeQuery("SELECT * FROM \"" + table + "\"")) {
                    Set<String> columns = columns(rows);
                    while (rows.next()) {
                        items.add(item(table, rows, columns));
                    }
                }
            }
        }
        return items;
    }

    private static Set<String> columns(ResultSet rows) throws SQLException {
        Set<String> columns = new HashSet<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            columns.add(rows.getMetaData().getColumnName(i));
        }
        return columns;
    }

    private static StoredItem item(String table, ResultSet rows, Set<String> columns) throws SQLException {
        Optional<String> place = columns.contains(TOPIC)
                ? Optional.of("%s-%d@%d"
                        .formatted(
                                rows.getString(TOPIC),
                                rows.getInt("__connect_partition"),
                                rows.getLong("__connect_offset")))
                : Optional.empty();
        Optional<String> id = columns.contains("id") ? Optional.of(rows.getString("id")) : place;
        String document = rows.getString("doc");
        try {
            return new StoredItem(
                    table,
                    id,
                    document == null ? JsonNodeFactory.instance.missingNode() : JSON.readTree(document),
                    place,
                    columns.contains("seq") ? Optional.of(rows.getLong("seq")) : Optional.empty());
        } catch (JsonProcessingException e) {
            throw new SQLException("not JSON: " + document, e);
        }
    }

    @Override
    public void empty(CheckCase planned, String name) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement, name)) {
                statement.execute("TRUNCATE \"" + table + "\"");
            }
        }
    }

    @Override
    public void drop(CheckCase planned, String name) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement, name)) {
                statement.execute("DROP TABLE \"" + table + "\"");
            }
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
