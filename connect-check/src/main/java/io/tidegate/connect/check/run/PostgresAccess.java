package io.tidegate.connect.check.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.check.oracle.StoredItem;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Server;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** A PostgreSQL server. The tables of a case begin with its name. */
public final class PostgresAccess implements StoreAccess {
    private static final String TOPIC = "__connect_topic";
    private static final String OFFSETS =
            "CREATE TABLE tidegate_offsets (connector text, topic text, partition integer,"
                    + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint,"
                    + " record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))";
    private static final String ACTIVITY =
            "SELECT format('%s %s %s, waits for %s %s, blocked by %s, in this state for %s: %s', pid, application_name, state,"
                    + " wait_event_type, wait_event, pg_blocking_pids(pid), now() - state_change, left(query, 120))"
                    + " FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle'"
                    + " AND pid <> pg_backend_pid()";
    private static final int TRIES = 5;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private final PostgresServer server;
    private final boolean vectors;

    /**
     * A server that is not started.
     *
     * @param vectors whether it has pgvector
     */
    public PostgresAccess(boolean vectors) {
        PostgresServer.Builder builder = PostgresServer.builder().fastStart().maxConnections(400);
        server = (vectors ? builder.withVectors() : builder).build();
        this.vectors = vectors;
    }

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
            if (vectors) {
                change("", "CREATE EXTENSION vector");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot prepare the database: " + e.getMessage(), e);
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
                try (ResultSet rows =
                        statement.executeQuery("SELECT *, to_jsonb(t) AS \"whole row\" FROM \"" + table + "\" AS t")) {
                    Set<String> columns = columns(rows);
                    while (rows.next()) {
                        items.add(item(table, rows, columns, planned));
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

    private static StoredItem item(String table, ResultSet rows, Set<String> columns, CheckCase planned)
            throws SQLException {
        Optional<String> place = columns.contains(TOPIC)
                ? Optional.of("%s-%d@%d"
                        .formatted(
                                rows.getString(TOPIC),
                                rows.getInt("__connect_partition"),
                                rows.getLong("__connect_offset")))
                : Optional.empty();
        boolean isField = planned.hasFieldColumns()
                && !planned.settings().getOrDefault("pk.mode", "none").startsWith("record_");
        Optional<String> id = columns.contains("id") && !isField ? Optional.of(rows.getString("id")) : place;
        String document = rows.getString("doc");
        if (planned.hasFieldColumns()) {
            document = withFields(document, rows.getString("whole row"), planned);
        }
        try {
            JsonNode stored = document == null ? JsonNodeFactory.instance.missingNode() : JSON.readTree(document);
            if (planned.settings().containsKey("extract.columns") && !isExtracted(stored, rows)) {
                stored = JSON.createArrayNode().add(stored).add("another version is in its column");
            }
            return new StoredItem(
                    table,
                    id,
                    stored,
                    place,
                    columns.contains("seq") ? Optional.of(rows.getLong("seq")) : Optional.empty());
        } catch (JsonProcessingException e) {
            throw new SQLException("not JSON: " + document, e);
        }
    }

    /** The only column that cases extract. */
    private static boolean isExtracted(JsonNode document, ResultSet rows) throws SQLException {
        long version = rows.getLong("version");
        return rows.wasNull() == document.path("version").isMissingNode()
                && version == document.path("version").asLong();
    }

    /** The document of a row whose fields have columns. Columns that no document has a field for are ignored. */
    private static String withFields(String rest, String row, CheckCase planned) throws SQLException {
        try {
            JsonNode stored = rest == null ? JSON.createObjectNode() : JSON.readTree(rest);
            if (!(stored instanceof ObjectNode document)) {
                return rest;
            }
            boolean isOfRecordKey = "record_key".equals(planned.settings().get("pk.mode"));
            ObjectNode columns = (ObjectNode) JSON.readTree(row);
            for (String vector : planned.vectorFields()) {
                if (columns.path(vector).isTextual()) { // looks like an array
                    columns.set(vector, JSON.readTree(columns.path(vector).asText()));
                }
            }
            columns.properties().stream()
                    .filter(column -> !isOfRecordKey || !column.getKey().equals("id"))
                    .filter(column -> !column.getKey().matches("doc|seq|__connect_.*|extra\\d"))
                    .forEach(column -> put(column.getValue(), column.getKey(), document));
            return StoredItem.withoutNulls(document).toString();
        } catch (JsonProcessingException e) {
            throw new SQLException("not JSON: " + rest, e);
        }
    }

    /** A row that is older than the column has the field in the rest. It may not be in both. */
    private static void put(JsonNode value, String field, ObjectNode document) {
        if (!document.path(field).isMissingNode() && !value.isNull()) {
            document.putArray(field).add("in the rest and in its column");
        } else if (!value.isNull()) {
            document.set(field, value);
        }
    }

    @Override
    public Map<TopicPartition, Long> offsets(String name) throws SQLException {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        try (Connection connection = server.connect();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT topic, partition, next_offset FROM tidegate_offsets WHERE connector = ?")) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    offsets.put(new TopicPartition(rows.getString(1), rows.getInt(2)), rows.getLong(3));
                }
            }
        }
        return offsets;
    }

    /** The commit of a message waits for the write-ahead log, which has all earlier commits before it. */
    @Override
    public void makeDurable() throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_logical_emit_message(true, 'check', '')");
        }
    }

    @Override
    public String activity() throws SQLException {
        List<String> sessions = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(ACTIVITY)) {
            while (rows.next()) {
                sessions.add(rows.getString(1));
            }
        }
        return sessions.toString();
    }

    @Override
    public void remember(String name) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            for (String table : tables(statement, name)) {
                statement.execute("CREATE TABLE \"past of %s\" AS TABLE \"%s\"".formatted(table, table));
            }
            statement.execute(
                    "CREATE TABLE \"past offsets of %s\" AS SELECT * FROM tidegate_offsets WHERE connector = '%s'"
                            .formatted(name, name));
            connection.commit();
        }
    }

    @Override
    public void goBack(String name) throws SQLException {
        for (int left = TRIES; ; left--) {
            try {
                goBackOnce(name);
                return;
            } catch (SQLException e) {
                if (!"40P01".equals(e.getSQLState()) || left == 1) { // a deadlock with a session of the case
                    throw e;
                }
            }
        }
    }

    /** The locks keep a session that is not ended yet from writing in between. */
    private void goBackOnce(String name) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            List<String> tables = tables(statement, name);
            statement.execute("SELECT FROM tidegate_offsets WHERE connector = '" + name + "' FOR UPDATE");
            for (String table : tables) {
                statement.execute("LOCK TABLE \"" + table + "\" IN ACCESS EXCLUSIVE MODE");
            }
            statement.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'tidegate "
                            + name + "@%' AND pid <> pg_backend_pid()");
            for (String table : tables) {
                statement.execute("TRUNCATE \"" + table + "\"");
                statement.execute("INSERT INTO \"%s\" TABLE \"past of %s\"".formatted(table, table));
                statement.execute("DROP TABLE \"past of " + table + "\"");
            }
            statement.execute("DELETE FROM tidegate_offsets WHERE connector = '" + name + "'");
            statement.execute("INSERT INTO tidegate_offsets TABLE \"past offsets of " + name + "\"");
            statement.execute("DROP TABLE \"past offsets of " + name + "\"");
            connection.commit();
        }
    }

    @Override
    public Optional<Damage> damage(String name, Random choice) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement, name)) {
                String row = " WHERE ctid = (SELECT ctid FROM \"%s\" ORDER BY ctid OFFSET %d LIMIT 1)"
                        .formatted(table, choice.nextInt(3));
                boolean isDeleted = choice.nextBoolean();
                String change = isDeleted
                        ? "DELETE FROM \"" + table + "\"" + row
                        : "UPDATE \"" + table + "\" SET doc = '{\"damaged\": true}'" + row;
                if (statement.executeUpdate(change) == 1) {
                    return Optional.of(Damage.of(isDeleted, change));
                }
            }
        }
        return Optional.empty();
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
