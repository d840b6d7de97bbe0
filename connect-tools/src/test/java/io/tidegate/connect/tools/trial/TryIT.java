package io.tidegate.connect.tools.trial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkTask;
import io.tidegate.connect.jsonb.JsonbSinkTask;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.HostileJson;
import io.tidegate.connect.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tidegate try} says of hostile values, beside what the sinks' own tasks then do with them. */
final class TryIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOPIC = "tides";
    private static final int HOSTILE = 400;

    private static final Kafka BROKER = new KeptBroker();
    private static final PostgresServer POSTGRES =
            PostgresServer.builder().fastStart().build();
    private static final Elasticsearch NODE = new KeptElasticsearch();
    private static final List<byte[]> VALUES = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        List.of(BROKER, POSTGRES, NODE).parallelStream().forEach(server -> server.start());
        BROKER.createTopic(TOPIC, 1, Map.of());
        Stream.of(
                        "{\"n0\":1}",
                        "{\"n0\":-1}",
                        "{\"n0\":\"x\"}",
                        "{\"n0\":{\"a\":1}}",
                        "[1]",
                        "1e400",
                        "",
                        "{\"n0\":99999999999}")
                .forEach(text -> VALUES.add(text.getBytes(UTF_8)));
        HostileJson.values(7, HOSTILE).forEach(VALUES::add);
        produce(
                TOPIC,
                IntStream.range(0, VALUES.size()).mapToObj(i -> "k" + i % 300).toList(),
                VALUES);
    }

    private static void produce(String topic, List<String> keys, List<byte[]> values) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < values.size(); i++) {
                Future<?> unused =
                        producer.send(new ProducerRecord<>(topic, 0, keys.get(i).getBytes(UTF_8), values.get(i)));
            }
        }
    }

    @AfterAll
    static void stop() {
        List.of(BROKER, POSTGRES, NODE).parallelStream().forEach(server -> server.close());
    }

    @Test
    void saysOfPostgresWhatTheTaskThenDoes() throws Exception {
        execute("CREATE TABLE tides (id text PRIMARY KEY, doc jsonb CHECK (doc->>'n0' <> '-1'), n0 int)");
        Map<String, String> props = postgres(
                "table.name.format", "${topic}",
                "insert.mode", "upsert",
                "pk.mode", "record_key",
                "pk.fields", "id",
                "extract.columns", "n0:$.n0::int");

        JsonNode said = tried(props, 1);

        assertThat(query("SELECT count(*) FROM tides")).isEqualTo("0");
        nothingStaysOpen();
        assertThat(said.at("/tried/0/columns/n0").asText()).isEqualTo("1");
        assertSame(said, RealTask.write(new JsonbSinkTask(), props, records()), TryIT::comparable);
        assertThat(said.at("/problems").size()).isGreaterThan(3);
        assertThat(query("SELECT count(*) FROM tides"))
                .isEqualTo(said.at("/destinations/\"tides\"").asText());
    }

    @Test
    void leavesNoTableThatIsCreatedByTheSink() throws Exception {
        Map<String, String> props = postgres("table.name.format", "made_${topic}", "auto.create", "true");

        JsonNode said = tried(props, 1);

        assertThat(said.at("/destinations/\"made_tides\"").asInt()).isPositive();
        assertThat(query("SELECT to_regclass('made_tides') IS NULL")).isEqualTo("t");
        nothingStaysOpen();
        assertSame(said, RealTask.write(new JsonbSinkTask(), props, records()), TryIT::comparable);
    }

    /** The task would add the column first, and the trial must not lock the table for that. */
    @Test
    void leavesOutAFieldThatWouldGetAColumn() throws Exception {
        execute("CREATE TABLE growing (n int)");
        Map<String, String> props =
                postgres("table.name.format", "growing", "columns.from.fields", "add", "unknown.fields", "refuse");
        Path values = Files.writeString(
                folder.resolve("values"), "{\"n\":1,\"wind\":4}\n{\"n\":2,\"ctid\":5}\n{\"n\":3,\"at\":\"x\"}\n");

        JsonNode said =
                JSON.readTree(run(props, "--json", "--input", values.toString()).out());

        assertThat(said.at("/destinations/\"growing\"").asInt()).isEqualTo(2);
        assertThat(said.at("/tried/1/reason").asText()).contains("the field ctid has no column");
        assertThat(said.path("notes").toString())
                .contains("that would lock their table. Left out: \\\"growing\\\".at, \\\"growing\\\".wind");
        assertThat(query("SELECT count(*) FROM pg_attribute WHERE attrelid = 'growing'::regclass AND attnum > 0"))
                .isEqualTo("1");
        nothingStaysOpen();
    }

    @Test
    void saysOfElasticsearchWhatTheTaskThenDoes() throws Exception {
        JsonNode unused = NODE.request(
                "PUT", "/tides", "{\"mappings\":{\"dynamic\":false,\"properties\":{\"n0\":{\"type\":\"integer\"}}}}");
        Map<String, String> props = elasticsearch("index.name", "${topic}", "behavior.on.malformed.documents", "dlq");

        JsonNode said = tried(props, 1);

        assertThat(NODE.request("GET", "/tides/_count", "").path("count").asInt())
                .isZero();
        // The simulation parses a document inside its request, so its words about duplicate names and places differ.
        assertSame(
                said,
                RealTask.write(new ElasticsearchBulkSinkTask(), props, records()),
                (reason, facts) -> facts.get("kind").toString());
        assertThat(said.at("/problems").size()).isPositive();
    }

    @Test
    void createsNoIndexAndRunsPipelines() throws Exception {
        JsonNode unused = NODE.request("PUT", "/_ingest/pipeline/checked", "{\"processors\":[]}");

        JsonNode said =
                tried(elasticsearch("index.name", "new-${topic}", "pipeline", "checked", "errors.tolerance", "all"), 1);

        assertThat(said.at("/tried/0/action").asText())
                .isEqualTo(
                        "{\"index\":{\"_index\":\"new-tides\",\"_id\":\"k0\",\"version_type\":\"external\",\"version\":0}}");
        JsonNode written = StreamSupport.stream(said.path("tried").spliterator(), false)
                .filter(record -> record.path("outcome").asText().equals("written"))
                .findFirst()
                .orElseThrow();
        assertThat(written.path("pipelines").asText()).isEqualTo("[\"checked\"]");
        assertThat(JSON.readTree(written.path("source after pipelines").asText()))
                .isEqualTo(JSON.readTree(written.path("document").asText()));
        assertThat(NODE.request("GET", "/_cat/indices?format=json", "").toString())
                .doesNotContain("new-tides");
    }

    @Test
    void doesNotTouchTheBooksOfExactlyOnceDelivery() throws Exception {
        execute("CREATE TABLE once (doc jsonb)");
        String tables = query("SELECT count(*) FROM pg_class WHERE relkind = 'r'");

        JsonNode said = tried(
                postgres("table.name.format", "once", "delivery.guarantee", "exactly_once", "auto.create", "true"), 1);

        assertThat(said.path("notes").toString()).contains("The offsets of delivery.guarantee=exactly_once");
        assertThat(said.at("/destinations/\"once\"").asInt()).isPositive();
        assertThat(query("SELECT count(*) FROM pg_class WHERE relkind = 'r'")).isEqualTo(tables);
        nothingStaysOpen();
    }

    @Test
    void doesNotWaitForTheLocksOfOthers() throws Exception {
        execute("CREATE TABLE locked (doc jsonb)");
        try (Connection other = connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("LOCK TABLE locked");

            CommandRun run = run(postgres("table.name.format", "locked"));

            assertThat(run.out()).contains("postponed until its destination accepts records", "lock timeout");
            assertThat(run.status()).isEqualTo(1);
        }
        nothingStaysOpen();
    }

    @Test
    void saysThatPrivilegesAreMissing() throws Exception {
        execute("CREATE TABLE foreign_table (doc jsonb)");
        execute("CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
        Map<String, String> props = postgres("table.name.format", "foreign_table");
        props.put("connection.user", "stranger");
        props.put("connection.password", "stranger");

        CommandRun run = run(props);

        assertThat(run.out())
                .contains("Connect will not take this configuration: ", "INSERT")
                .contains("The task fails: ", "permission denied for table foreign_table");
        assertThat(run.status()).isEqualTo(1);
    }

    /** The example of docs/how-to/try-a-configuration.md, where the statement is cut. */
    @Test
    void printsWhatTheGuideShows() throws Exception {
        Path guide = Path.of("..", "docs", "how-to", "try-a-configuration.md");
        BROKER.createTopic("readings", 1, Map.of());
        produce(
                "readings",
                List.of("oslo", "bergen", "oslo", "tromso"),
                Stream.of(
                                "{\"station\":\"oslo\",\"level\":1.52}",
                                "{\"station\":\"bergen\",\"level\":-9}",
                                "{\"station\":\"oslo\",\"level\":1.61}",
                                "{\"station\":")
                        .map(text -> text.getBytes(UTF_8))
                        .toList());
        execute("CREATE TABLE readings (station text PRIMARY KEY, doc jsonb NOT NULL,"
                + " level numeric CONSTRAINT plausible CHECK (level > -5))");
        Path file = Files.writeString(
                folder.resolve("readings.json"),
                block(guide, "```json")
                        .replace("db.example.com:5432/tides", "localhost:" + POSTGRES.port() + "/postgres")
                        .replace("\"sink\"", "\"" + POSTGRES.user() + "\"")
                        .replace("${env:PGPASSWORD}", POSTGRES.password()));

        CommandRun run = CommandRun.of("try", file.toString(), "--bootstrap-servers", BROKER.bootstrapServers());

        String out = run.out()
                .replace("localhost:" + POSTGRES.port() + "/postgres", "db.example.com:5432/tides")
                .replaceFirst("(?m)^(  statement: INSERT INTO .*?) SELECT .*$", "$1 SELECT ...");
        assertThat(run.err()).isEmpty();
        assertThat(block(guide, "```text")).isEqualTo(out);
    }

    private static String block(Path guide, String fence) throws IOException {
        String text = Files.readString(guide);
        int begin = text.indexOf(fence + "\n") + fence.length() + 1;
        return text.substring(begin, text.indexOf("```", begin));
    }

    @Test
    void saysWhichTableIsMissingAndWhichServerIsAway() throws Exception {
        CommandRun missing = run(postgres("table.name.format", "absent"));
        assertThat(missing.out()).contains("absent");
        assertThat(missing.status()).isEqualTo(1);

        Map<String, String> away = postgres("table.name.format", "t");
        away.put("connection.url", "jdbc:postgresql://localhost:1/tides");
        CommandRun unreachable = run(away);
        assertThat(unreachable.err()).contains("--offline shows the mapping only");
        assertThat(unreachable.status()).isEqualTo(2);

        CommandRun offline = run(away, "--offline");
        assertThat(offline.out()).contains("The server was not asked");
    }

    /** Counts of requests and the statement differ with the batches that timing makes. */
    private static void assertSame(
            JsonNode said,
            Map<String, RefusedException> letters,
            BiFunction<String, Map<String, Object>, String> comparable) {
        Map<String, String> predicted = new TreeMap<>();
        for (JsonNode record : said.path("tried")) {
            if (record.path("outcome").asText().equals("refused")) {
                Map<String, Object> facts = new HashMap<>();
                record.path("facts")
                        .properties()
                        .forEach(
                                fact -> facts.put(fact.getKey(), fact.getValue().asText()));
                predicted.put(
                        record.path("record").asText(),
                        comparable.apply(record.path("reason").asText(), facts));
            }
        }
        Map<String, String> real = new TreeMap<>();
        letters.forEach((place, letter) -> real.put(place, comparable.apply(RefusedReason.of(letter), letter.facts())));
        assertThat(predicted).containsExactlyEntriesOf(real).hasSizeGreaterThan(20);
    }

    private static String comparable(String reason, Map<String, Object> facts) {
        Map<String, String> kept = new TreeMap<>();
        facts.forEach((name, value) -> kept.put(name, value.toString()));
        kept.keySet().removeAll(List.of("attempts", "statement"));
        return reason + " " + kept;
    }

    private JsonNode tried(Map<String, String> props, int status) throws Exception {
        CommandRun run = run(props, "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isEqualTo(status);
        JsonNode said = JSON.readTree(run.out());
        assertThat(said.path("records").asInt()).isEqualTo(VALUES.size());
        return said;
    }

    private CommandRun run(Map<String, String> props, String... more) throws Exception {
        Path file = Files.writeString(
                folder.resolve("sink.json"),
                JSON.writeValueAsString(Map.of("name", props.get("name"), "config", props)));
        List<String> args = new ArrayList<>(List.of(
                "try",
                file.toString(),
                "--bootstrap-servers",
                BROKER.bootstrapServers(),
                "--records",
                "1000",
                "--from",
                "earliest"));
        args.addAll(List.of(more));
        return CommandRun.of(args.toArray(String[]::new));
    }

    private static List<SinkRecord> records() {
        List<SinkRecord> records = new ArrayList<>();
        for (int i = 0; i < VALUES.size(); i++) {
            records.add(new SinkRecord(TOPIC, 0, null, ("k" + i % 300).getBytes(UTF_8), null, VALUES.get(i), i));
        }
        return records;
    }

    private static Map<String, String> postgres(String... settings) {
        return props(
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                Map.of(
                        "connection.url", POSTGRES.jdbcUrl(),
                        "connection.user", POSTGRES.user(),
                        "connection.password", POSTGRES.password()),
                settings);
    }

    private static Map<String, String> elasticsearch(String... settings) {
        return props(
                "ElasticsearchBulkSink",
                Map.of(
                        "connection.url", NODE.url().toString(),
                        "connection.username", NODE.username(),
                        "connection.password", NODE.password(),
                        "ssl.ca", NODE.caCertificate().toString()),
                settings);
    }

    private static Map<String, String> props(String connector, Map<String, String> connection, String... settings) {
        Map<String, String> props = new HashMap<>(connection);
        props.put("name", "sink");
        props.put("connector.class", connector);
        props.put("topics", TOPIC);
        props.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        props.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        props.put("errors.tolerance", "all");
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        return props;
    }

    /** The server ends a session soon after its connection is closed. */
    private static void nothingStaysOpen() {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                        query("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tidegate%'"))
                .isEqualTo("0"));
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = connect()) {
            connection.createStatement().execute(sql);
        }
    }

    private static String query(String sql) throws SQLException {
        try (Connection connection = connect();
                ResultSet row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(POSTGRES.jdbcUrl(), POSTGRES.user(), POSTGRES.password());
    }
}
