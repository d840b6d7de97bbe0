package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.Server;
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
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Columns of many types from PostgreSQL through Debezium to PostgreSQL: as JSON with a schema, which the sink reads
 * itself, and through a converter that makes structs of it. No two tests share tables, topics, a
 * replication slot or connectors.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SourceTypesIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String NUMBERS = "CREATE TABLE numbers (id numeric(10,2) PRIMARY KEY, free numeric, prices"
            + " numeric(10,2)[], frees numeric[], coins money, day date, at timestamp(3), clock time(3), hash bytea)";

    /** Values so large that an update of another column does not log them. */
    private static final String LARGE = "CREATE TABLE large (id int PRIMARY KEY, n int, plain text, json jsonb, bin"
            + " bytea, texts text[], ints int[], bigs bigint[], days date[], uuids uuid[], bins bytea[])";

    private static final String FILL_LARGE = "INSERT INTO large SELECT 1, 1, string_agg(md5(i::text), ''),"
            + " jsonb_agg(md5(i::text)), decode(string_agg(md5(i::text), ''), 'hex'), array_agg(md5(i::text)),"
            + " array_agg(i * 99991), array_agg(i * 9999999991), array_agg('2000-01-01'::date + i * 7),"
            + " array_agg(md5(i::text)::uuid), array_agg(decode(md5(i::text), 'hex')) FROM generate_series(1, 3000) AS i";

    private final PostgresServer source =
            PostgresServer.builder().fastStart().setting("wal_level", "logical").build();
    private final PostgresServer target = PostgresServer.builder().fastStart().build();
    private final KafkaBroker broker = KafkaBroker.builder().fastStart().build();
    private final List<ConnectWorker> worker = new ArrayList<>(1);

    @BeforeAll
    void start() throws Exception {
        Layout layout = new Layout(Path.of("").toAbsolutePath().getParent());
        List.of(source, target, broker).forEach(Server::start);
        worker.add(ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(layout.pluginPath()[0], layout.debezium())
                .build());
        worker.get(0).start();
    }

    @AfterAll
    void stop() {
        worker.forEach(Server::close);
        List.of(broker, target, source).forEach(Server::close);
    }

    @AfterEach
    void deleteConnectors() {
        worker.get(0).rest().list().forEach(worker.get(0).rest()::delete);
    }

    @Test
    void aTypeHasTheSameDocumentInAllFormsOfEvents() throws Exception {
        execute(
                source,
                NUMBERS,
                "INSERT INTO numbers (id, free) VALUES (-0.01, 0), (1, 1)",
                "INSERT INTO numbers VALUES (60.00, 12345678901234567890.123, '{1.50,-2.25,NULL}', '{1.5,100}', 12.34,"
                        + " '2015-01-01', '2015-01-01 00:06:00.123', '00:06:00.123', '\\x0001ff')");
        startSource("types", "numbers", Map.of("time.precision.mode", "connect"));
        for (String sink : List.of("bytes", "structs")) {
            execute(target, "CREATE TABLE " + sink + " (id numeric PRIMARY KEY, doc jsonb NOT NULL)");
            startSink(sink, "types.public.numbers", Map.of("pk.mode", "record_key", "insert.mode", "upsert"));
        }
        await("bytes", rows -> rows.size() == 3);
        execute(source, "DELETE FROM numbers WHERE id = -0.01", "UPDATE numbers SET free = 1e20 WHERE id = 1");

        for (String sink : List.of("bytes", "structs")) {
            assertThat(await(sink, rows -> rows.size() == 2 && rows.get(0).contains("00000000000000000000")))
                    .as(sink)
                    .containsExactly(
                            "1.00 {\"at\": null, \"id\": 1.00, \"day\": null, \"free\": 100000000000000000000, \"hash\":"
                                    + " null, \"clock\": null, \"coins\": null, \"frees\": null, \"prices\": null}",
                            "60.00 {\"at\": \"2015-01-01T00:06:00.123Z\", \"id\": 60.00, \"day\": \"2015-01-01\","
                                    + " \"free\": 12345678901234567890.123, \"hash\": \"AAH/\", \"clock\":"
                                    + " \"00:06:00.123\", \"coins\": 12.34, \"frees\": [1.5, 100], \"prices\": [1.50,"
                                    + " -2.25, null]}");
        }
    }

    @Test
    void aLargeColumnThatDidNotChangeKeepsItsValue() throws Exception {
        execute(source, LARGE, FILL_LARGE);
        startSource("large", "large", Map.of("unavailable.value.placeholder", "unchanged"));
        execute(target, "CREATE TABLE large (id bigint PRIMARY KEY, doc jsonb NOT NULL)");
        startSink(
                "large",
                "large.public.large",
                Map.of(
                        "pk.mode", "record_key",
                        "insert.mode", "merge",
                        "debezium.unavailable.values", "keep",
                        "debezium.unavailable.value.placeholder", "unchanged"));
        String inserted = await("large", rows -> rows.size() == 1).get(0);
        assertThat(inserted).contains("\"n\": 1,").hasSizeGreaterThan(100_000);
        execute(source, "UPDATE large SET n = 2");

        assertThat(await("large", rows -> !rows.get(0).equals(inserted)))
                .containsExactly(inserted.replace("\"n\": 1,", "\"n\": 2,"));
    }

    /** They have columns like those of the records in Debezium's topic `rows.transaction`. */
    @Test
    void rowsThatAreTakenOutOfTheirEventsAtTheSourceAreDeadLetters() throws Exception {
        execute(
                source,
                "CREATE TABLE transaction (id int PRIMARY KEY, status text)",
                "INSERT INTO transaction VALUES (1, 'paid'), (2, 'open')");
        startSource(
                "rows",
                "transaction",
                Map.of("transforms", "row", "transforms.row.type", "io.debezium.transforms.ExtractNewRecordState"));
        broker.createTopic("letters", 1);
        execute(target, "CREATE TABLE rows (id int PRIMARY KEY, doc jsonb NOT NULL)");
        startSink(
                "rows",
                "rows.public.transaction",
                Map.of(
                        "pk.mode", "record_key",
                        "insert.mode", "upsert",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "letters",
                        "errors.deadletterqueue.topic.replication.factor", "1"));

        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            assertThat(Poll.until(() -> count(admin, "letters") == 2, SOON)).isTrue();
        }
        assertThat(rows("rows")).isEmpty();
    }

    private void startSource(String prefix, String table, Map<String, String> more) {
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
                prefix,
                "slot.name",
                prefix,
                "plugin.name",
                "pgoutput",
                "table.include.list",
                "public." + table));
        debezium.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        debezium.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        debezium.putAll(more);
        broker.createTopic(prefix + ".public." + table, 1);
        worker.get(0).rest().putConfig("source-" + prefix, debezium);
    }

    /** A sink into the table of its name. Only the sink {@code structs} lets a converter read the events. */
    private void startSink(String name, String topic, Map<String, String> more) {
        String converter = name.equals("structs")
                ? "org.apache.kafka.connect.json.JsonConverter"
                : "org.apache.kafka.connect.converters.ByteArrayConverter";
        Map<String, String> jsonb = new HashMap<>(Map.of(
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "topics",
                topic,
                "connection.url",
                target.jdbcUrl(),
                "connection.user",
                target.user(),
                "connection.password",
                target.password(),
                "key.converter",
                converter,
                "value.converter",
                converter,
                "value.envelope",
                "debezium",
                "table.name.format",
                name,
                "pk.fields",
                "id"));
        jsonb.put("delete.enabled", "true");
        jsonb.putAll(more);
        worker.get(0).rest().putConfig("sink-" + name, jsonb);
    }

    private static long count(Admin admin, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> await(String table, Predicate<List<String>> areThere) {
        Poll.until(() -> areThere.test(rows(table)), SOON);
        return rows(table);
    }

    private List<String> rows(String table) {
        List<String> rows = new ArrayList<>();
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT id || ' ' || doc FROM " + table + " ORDER BY id")) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
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
