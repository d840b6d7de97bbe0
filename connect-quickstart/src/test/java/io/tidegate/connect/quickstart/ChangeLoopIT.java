package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL, Debezium, Kafka and both sinks in a loop: rows are inserted, updated and deleted, get other keys, and
 * tables are truncated and filled again, while worker, source and both stores are killed. In the end every row is equal.
 * {@code -Dchange.loop.seed=N} repeats a run.
 */
final class ChangeLoopIT {
    private static final long SEED = Long.getLong("change.loop.seed", 15);
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int ROWS = 300;
    private static final int BRANCHES = 20;
    private static final int PARTS = 4;
    private static final int TRANSACTIONS = 400;

    /** The text of each table's key, as Elasticsearch's ids have it. */
    private static final Map<String, String> KEYS = Map.of(
            "accounts",
            "id",
            "branches",
            "id",
            "shares",
            "'[' || to_json(branch::text)::text || ',' || to_json(part)::text || ']'");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final PostgresServer source =
            PostgresServer.builder().fastStart().setting("wal_level", "logical").build();
    private final PostgresServer target = PostgresServer.builder().fastStart().build();
    private final ElasticsearchNode node =
            ElasticsearchNode.builder().fastStart().build();
    private final KafkaBroker broker = KafkaBroker.builder().fastStart().build();
    private final List<ConnectWorker> worker = new ArrayList<>(1);
    private final Random random = new Random(SEED);
    private int committed;
    private final ExecutorService threads = Executors.newSingleThreadExecutor();

    @BeforeEach
    void start() throws Exception {
        Layout layout = new Layout(Path.of("").toAbsolutePath().getParent());
        Path debezium = layout.debezium();
        List.of(source, target, broker, node).forEach(Server::start);
        execute(
                source,
                "CREATE TABLE accounts (id bigint PRIMARY KEY, branch int, balance bigint, note text, doc jsonb)",
                "CREATE TABLE branches (id bigint PRIMARY KEY, balance bigint)",
                "ALTER TABLE accounts REPLICA IDENTITY FULL",
                "INSERT INTO accounts SELECT n, n % 20, 0, repeat(md5(n::text), 100), jsonb_build_object('n', n)"
                        + " FROM generate_series(1, " + ROWS + ") AS n",
                "INSERT INTO branches SELECT n, 0 FROM generate_series(1, " + BRANCHES + ") AS n",
                "CREATE TABLE shares (branch bigint, part text, amount bigint, PRIMARY KEY (branch, part))",
                allShares(0));
        for (String table : KEYS.keySet()) {
            String key = table.equals("shares") ? "branch bigint, part text" : "id bigint";
            execute(
                    target,
                    "CREATE TABLE " + table + " (" + key
                            + ", doc jsonb NOT NULL, __connect_source_position bigint, PRIMARY KEY ("
                            + key.replaceAll(" (bigint|text)", "") + "))");
            broker.createTopic("loop.public." + table, 3);
        }
        Path[] plugins = layout.pluginPath();
        worker.add(ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(plugins[0], plugins[1], debezium)
                .property("offset.flush.interval.ms", "1000")
                .environment("CA", Files.readString(node.caCertificate()))
                .build());
        worker.get(0).start();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        worker.forEach(Server::close);
        List.of(node, broker, target, source).forEach(Server::close);
    }

    private ConnectRest rest() {
        return worker.get(0).rest();
    }

    @Test
    void everyRowIsEqualInTheEnd() throws Exception {
        startConnectors();
        assertThat(Poll.until(() -> target("accounts").size() == ROWS, SOON)).isTrue();
        endSnapshot();
        for (Server killed : List.of(target, worker.get(0), node, source)) {
            Future<?> kill = threads.submit(() -> {
                killed.kill();
                killed.start();
            });
            commitTransactions();
            kill.get();
        }
        commitTransactions();

        for (String table : KEYS.keySet()) {
            Map<String, JsonNode> expected =
                    rows(source, "SELECT " + KEYS.get(table) + ", to_jsonb(t) FROM " + table + " AS t");
            assertThat(expected).isNotEmpty();
            Poll.until(
                    () -> {
                        restartSource();
                        return expected.equals(target(table)) && expected.equals(documents(table));
                    },
                    SOON);
            assertThat(target(table)).as("rows of %s, seed %d", table, SEED).isEqualTo(expected);
            assertThat(documents(table))
                    .as("documents of %s, seed %d", table, SEED)
                    .isEqualTo(expected);
        }
        for (String sink : List.of("jsonb", "jsonb-shares", "es")) {
            assertThat(rest().status(sink).tasks())
                    .extracting(TaskStatus::state)
                    .containsOnly("RUNNING");
        }
    }

    private void startConnectors() {
        Map<String, String> debezium = new HashMap<>(Map.of(
                "connector.class",
                "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname",
                source.host(),
                "database.port",
                Integer.toString(source.port()),
                "database.user",
                source.user(),
                "database.password",
                source.password(),
                "database.dbname",
                source.database(),
                "topic.prefix",
                "loop",
                "plugin.name",
                "pgoutput",
                "skipped.operations",
                "none",
                "retriable.restart.connector.wait.ms",
                "1000"));
        debezium.put("slot.name", "loop");
        debezium.put("table.include.list", "public.accounts,public.branches,public.shares");
        debezium.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        debezium.put("key.converter.schemas.enable", "false");
        debezium.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        debezium.put("value.converter.schemas.enable", "true");
        rest().putConfig("source", debezium);

        Map<String, String> both = Map.of(
                "topics", "loop.public.accounts,loop.public.branches,loop.public.shares",
                "tasks.max", "2",
                "key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                "value.envelope", "debezium",
                "debezium.truncates", "ignore",
                "retry.backoff.max.ms", "500");
        Map<String, String> jsonb = new HashMap<>(both);
        jsonb.putAll(Map.of(
                "topics", "loop.public.accounts,loop.public.branches",
                "connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "connection.url", target.jdbcUrl(),
                "connection.user", target.user(),
                "connection.password", target.password(),
                "topic.table.regex", "loop\\.public\\.(.*)",
                "table.name.format", "${1}",
                "pk.mode", "record_key",
                "pk.fields", "id",
                "insert.mode", "upsert"));
        jsonb.put("delete.enabled", "true");
        jsonb.put("metadata.columns", "source_position");
        jsonb.put("stale.write.guard", "source_position");
        jsonb.put("delivery.guarantee", "exactly_once");
        jsonb.put("auto.create", "true");
        rest().putConfig("jsonb", jsonb);
        Map<String, String> shares = new HashMap<>(jsonb);
        shares.putAll(Map.of("topics", "loop.public.shares", "pk.fields", "branch,part"));
        rest().putConfig("jsonb-shares", shares);

        Map<String, String> es = new HashMap<>(both);
        es.putAll(Map.of(
                "connector.class", "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "connection.url", node.url().toString(),
                "connection.username", node.username(),
                "connection.password", node.password(),
                "ssl.ca", "${env:CA}",
                "topic.index.regex", "loop\\.public\\.(.*)",
                "index.name", "${1}",
                "behavior.on.null.values", "delete",
                "external.version", "source_position"));
        rest().putConfig("es", es);
    }

    /**
     * Waits until Debezium has committed an offset behind its snapshot. If it is killed before, it takes another
     * snapshot, which says nothing of the rows that were deleted meanwhile.
     */
    private void endSnapshot() throws SQLException {
        execute(source, "UPDATE branches SET balance = 1 WHERE id = 1");
        assertThat(Poll.until(
                        () -> {
                            JsonNode offset = rest().sourceOffset("source");
                            return offset.has("lsn") && !offset.has("snapshot");
                        },
                        SOON))
                .isTrue();
    }

    /** As an operator would, if the source connector gave up when its server was killed. */
    private void restartSource() {
        if (rest().status("source").tasks().stream()
                .anyMatch(task -> task.state().equals("FAILED"))) {
            rest().restart("source", true);
        }
    }

    /** Transactions like pgbench's, one after the other; one that fails, because its server was killed, is repeated. */
    private void commitTransactions() {
        int end = committed + TRANSACTIONS;
        while (committed < end) {
            try (Connection connection = source.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                while (committed < end) {
                    for (String sql : transaction(committed)) {
                        statement.execute(sql);
                    }
                    connection.commit();
                    committed++;
                }
            } catch (SQLException e) {
                Poll.until(source::isRunning, SOON);
            }
        }
    }

    private List<String> transaction(int number) {
        int id = 1 + random.nextInt(ROWS);
        int amount = random.nextInt(1_000);
        String update = "UPDATE accounts SET balance = balance + " + amount + ", doc = doc || '{\"last\": " + number
                + "}' WHERE id = " + id;
        String branch = "UPDATE branches SET balance = balance + " + amount + " WHERE id = " + (1 + id % BRANCHES);
        String part = " AND part = 'é\"" + number % PARTS + "'";
        String share = " WHERE branch = " + (1 + id % BRANCHES) + part;
        String nextShare = " WHERE branch = " + (2 + id % BRANCHES) + part;
        return switch (random.nextInt(20)) {
            case 0, 1 -> List.of("DELETE FROM accounts WHERE id = " + id);
            case 2, 3, 4 ->
                List.of("INSERT INTO accounts VALUES (" + id + ", 1, " + amount
                        + ", 'new', '{\"a\": [null, \"\u00e9\"]}')" + " ON CONFLICT (id) DO UPDATE SET note = 'again'");
            case 5 -> // a row gets another key, and perhaps the key of a row that was deleted before
                List.of(
                        "DELETE FROM accounts WHERE id = " + (ROWS + id),
                        "UPDATE accounts SET id = id + " + ROWS + " WHERE id = " + id);
            case 6 ->
                List.of("DELETE FROM accounts WHERE id = " + id, "INSERT INTO accounts VALUES (" + id + ", 2, 0)");
            case 7 -> // the sinks skip the truncation, so all keys are inserted again
                number % 3 > 0
                        ? List.of(update)
                        : List.of(
                                "TRUNCATE branches, shares",
                                "INSERT INTO branches SELECT n, " + number + " FROM generate_series(1, " + BRANCHES
                                        + ") AS n",
                                allShares(number));
            case 8, 9 -> List.of("UPDATE shares SET amount = " + amount + share, "DELETE FROM shares" + nextShare);
            case 10, 11 -> // one half of the key gets the value of another row that was deleted
                List.of("DELETE FROM shares" + nextShare, "UPDATE shares SET branch = branch + 1" + share);
            case 12 ->
                List.of("INSERT INTO shares SELECT " + (1 + id % BRANCHES) + ", part, " + amount
                        + " FROM shares WHERE branch = " + BRANCHES + " ON CONFLICT DO NOTHING");
            default -> List.of(update, branch);
        };
    }

    /** All rows that the table can have. */
    private static String allShares(int amount) {
        return "INSERT INTO shares SELECT b, 'é\"' || p, " + amount + " FROM generate_series(1, " + (BRANCHES + 1)
                + ") AS b, generate_series(0, " + (PARTS - 1) + ") AS p";
    }

    private Map<String, JsonNode> target(String table) {
        return rows(target, "SELECT " + KEYS.get(table) + ", doc FROM " + table);
    }

    /** Nothing while the server is down. */
    private static Map<String, JsonNode> rows(PostgresServer server, String sql) {
        Map<String, JsonNode> rows = new TreeMap<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                rows.put(found.getString(1), JSON.readTree(found.getString(2)));
            }
            return rows;
        } catch (SQLException e) {
            return Map.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Map<String, JsonNode> documents(String index) {
        node.request("POST", "/" + index + "/_refresh", "");
        Map<String, JsonNode> documents = new TreeMap<>();
        for (JsonNode hit : node.request("POST", "/" + index + "/_search", "{\"size\":10000}")
                .at("/hits/hits")) {
            documents.put(hit.path("_id").asText(), hit.path("_source"));
        }
        return documents;
    }

    private static void execute(PostgresServer server, String... all) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        }
    }
}
