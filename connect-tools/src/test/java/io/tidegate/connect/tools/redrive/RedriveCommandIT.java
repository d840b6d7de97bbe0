package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.tools.command.PlainErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code tidegate redrive} with real dead letter topics and a real server. */
@Timeout(180)
final class RedriveCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int LETTERS = 400; // of two partitions, in one part of a run

    private static final KafkaBroker BROKER = KafkaBroker.builder().fastStart().build();
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final ElasticsearchNode NODE =
            ElasticsearchNode.builder().fastStart().build();

    @TempDir
    private Path folder;

    /** What a run has printed, and its status. */
    private record Run(int status, String out, String err) {
        JsonNode result() throws Exception {
            return JSON.readTree(out);
        }
    }

    @BeforeAll
    static void start() throws SQLException {
        CompletableFuture<Void> node = CompletableFuture.runAsync(NODE::start);
        SERVER.start();
        BROKER.start();
        node.join();
        sql("CREATE TABLE tidegate_offsets (connector text, topic text, partition integer, next_offset bigint NOT NULL,"
                + " generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint,"
                + " record_rules bigint, PRIMARY KEY (connector, topic, partition))");
    }

    @AfterAll
    static void close() {
        NODE.close();
        BROKER.close();
        SERVER.close();
    }

    private static Connection connection() throws SQLException {
        return DriverManager.getConnection(SERVER.jdbcUrl(), SERVER.user(), SERVER.password());
    }

    private static void sql(String text) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private static String value(String query) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Letters as Connect writes them: of this topic, with these keys and values, refused once. */
    private static void send(String letters, String topic, String kind, int first, int end, String key)
            throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int n = first; n < end; n++) {
                ProducerRecord<String, String> letter = new ProducerRecord<>(
                        letters, Math.floorMod(n, 2), key.isEmpty() ? "k" + n : key, "{\"n\":" + n + "}");
                header(letter, "topic", topic);
                header(letter, "partition", String.valueOf(Math.floorMod(n, 2)));
                header(letter, "offset", String.valueOf(1_000 + n));
                header(letter, "connector.name", topic);
                header(letter, "stage", "TASK_PUT");
                header(
                        letter,
                        "exception.message",
                        "row " + n + " is refused {\"kind\":\"" + kind + "\",\"n\":" + n + "}");
                sent.add(producer.send(letter));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
    }

    private static void header(ProducerRecord<String, String> letter, String name, String text) {
        letter.headers().add("__connect.errors." + name, text.getBytes(UTF_8));
    }

    private List<String> arguments(String letters, String table, Map<String, String> settings, String... more)
            throws Exception {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "topics",
                table,
                "key.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "value.converter",
                "org.apache.kafka.connect.converters.ByteArrayConverter",
                "connection.url",
                SERVER.jdbcUrl(),
                "connection.user",
                SERVER.user(),
                "connection.password",
                SERVER.password()));
        config.putAll(settings);
        Path file = Files.writeString(
                folder.resolve(table + ".json"), JSON.writeValueAsString(Map.of("name", table, "config", config)));
        List<String> arguments =
                new ArrayList<>(List.of(letters, file.toString(), "--bootstrap-servers", BROKER.bootstrapServers()));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static Run run(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new PlainErrors("tidegate", "", 2)
                .of(new CommandLine(new RedriveCommand()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        return new Run(status, out.toString(), err.toString());
    }

    /** Interrupts a run, as Ctrl-C does, while the server hangs in the middle of it. */
    private static Run interrupted(List<String> arguments, String table) throws Exception {
        sql("CREATE FUNCTION hang_" + table + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '301' THEN PERFORM pg_sleep(600); END IF; RETURN NEW; END $$");
        sql("CREATE TRIGGER hang BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION hang_" + table + "()");
        FutureTask<Run> running = new FutureTask<>(() -> run(arguments));
        Thread thread = new Thread(running);
        thread.start();
        assertThat(Poll.until(
                        () -> value("SELECT count(*) FROM " + table).equals(String.valueOf(LETTERS / 2))
                                && value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                                        .equals("1"),
                        SOON))
                .as("one partition is written, the other hangs")
                .isTrue();
        thread.interrupt();
        Run run = running.get(SOON.toSeconds(), TimeUnit.SECONDS);
        sql("DROP TRIGGER hang ON " + table);
        return run;
    }

    private static void create(String letters, String columns) throws SQLException {
        BROKER.createTopic(letters, 2);
        sql("CREATE TABLE " + columns);
    }

    @Test
    void aRunThatIsCutOffAndRepeatedWritesEachLetterOnce() throws Exception {
        create("once-dlq", "once (doc jsonb, t text, p int, o bigint)");
        send("once-dlq", "once", "constraint", 0, LETTERS, "");
        Map<String, String> settings = Map.of(
                "delivery.guarantee", "exactly_once",
                "metadata.columns", "topic:t,partition:p,offset:o",
                "close.timeout.ms", "100");

        Run dry = run(arguments("once-dlq", "once", settings, "--dry-run"));
        assertThat(dry.err()).isEmpty();
        assertThat(dry.status()).isZero();
        assertThat(dry.out())
                .contains("once-dlq: 400 dead letters, 400 of them chosen")
                .contains("400  constraint  once  ")
                .contains("row N is refused");

        Run cut = interrupted(arguments("once-dlq", "once", settings), "once");
        assertThat(cut.status()).isEqualTo(2);
        assertThat(cut.err()).contains("stopped");

        Run second = run(arguments("once-dlq", "once", settings, "--json"));
        assertThat(second.err()).isEmpty();
        assertThat(second.status()).isZero();
        assertThat(second.result().path("unsure").asInt()).isEqualTo(LETTERS);
        assertThat(value("SELECT count(*) FROM once")).isEqualTo("400");
        assertThat(value("SELECT count(DISTINCT (t, p, o)) FROM once WHERE t = 'once' AND p = (doc->>'n')::int % 2"
                        + " AND o = 1000 + (doc->>'n')::int"))
                .isEqualTo("400");

        Run third = run(arguments("once-dlq", "once", settings, "--json"));
        assertThat(third.result().path("done_before").asInt()).isEqualTo(LETTERS);
        assertThat(third.result().path("chosen").asInt()).isZero();
        assertThat(value("SELECT count(*) FROM once")).isEqualTo("400");
        assertThat(value("SELECT count(*) FROM tidegate_offsets"))
                .as("nothing is left")
                .isEqualTo("0");
    }

    @Test
    void withoutKeyOrOffsetsTheUserDecidesAboutLettersInDoubt() throws Exception {
        create("appended-dlq", "appended (doc jsonb)");
        send("appended-dlq", "appended", "constraint", 0, LETTERS, "");
        try (Group group =
                Group.open(Map.of("bootstrap.servers", BROKER.bootstrapServers()), "tidegate-redrive-appended")) {
            TopicPartition cutOff = new TopicPartition("appended-dlq", 1);
            Ledger ledger = Ledger.of(Map.of(cutOff, 0L), Map.of());
            ledger.begin(cutOff, 0);
            ledger.begin(cutOff, 1);
            group.store(ledger.stored());
        }

        Run undecided = run(arguments("appended-dlq", "appended", Map.of()));
        assertThat(undecided.status()).isEqualTo(2);
        assertThat(undecided.err()).contains("2 letters").contains("--unsure write or --unsure skip");
        assertThat(value("SELECT count(*) FROM appended")).isEqualTo("0");

        Run decided = run(arguments("appended-dlq", "appended", Map.of(), "--unsure", "skip", "--json"));
        assertThat(decided.err()).isEmpty();
        assertThat(decided.result().at("/result/written").asInt()).isEqualTo(LETTERS - 2);
        assertThat(value("SELECT count(*) FROM appended")).isEqualTo(String.valueOf(LETTERS - 2));
        assertThat(run(arguments("appended-dlq", "appended", Map.of(), "--json"))
                        .result()
                        .path("done_before")
                        .asInt())
                .isEqualTo(LETTERS);
    }

    @Test
    void lettersThatFailAgainStayOrAreParkedAndNeverCircle() throws Exception {
        create("again-dlq", "again (doc jsonb CHECK ((doc->>'n')::int % 10 <> 7))");
        BROKER.createTopic("again-parking", 1);
        send("again-dlq", "again", "constraint", 0, 40, "");
        send("again-dlq", "again", "data", 40, 50, "");
        send("again-dlq", "other", "constraint", 50, 60, "");

        List<String> constraint = arguments("again-dlq", "again", Map.of(), "--json", "--kind", "constraint");
        for (int i = 0; i < 2; i++) {
            Run run = run(constraint);
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.result().path("of_other_connectors").asInt()).isEqualTo(10);
            assertThat(run.result().path("left_out").asInt()).isEqualTo(10);
            assertThat(run.result().at("/result/written").asInt()).isEqualTo(i == 0 ? 36 : 0);
            assertThat(run.result().at("/result/refused_by_kind/constraint").asInt())
                    .isEqualTo(4);
            assertThat(value("SELECT count(*) FROM again")).isEqualTo("36");
        }

        assertThat(run(arguments("again-dlq", "again", Map.of(), "--parking", "again-dlq"))
                        .err())
                .contains("--parking must be another topic than again-dlq");
        Run parked = run(arguments(
                "again-dlq", "again", Map.of(), "--json", "--where", "kind=constraint", "--parking", "again-parking"));
        assertThat(parked.result().at("/result/parked").asInt()).isEqualTo(4);
        assertThat(run(constraint).result().path("chosen").asInt()).isZero();

        sql("ALTER TABLE again DROP CONSTRAINT again_doc_check");
        Run rest = run(arguments("again-parking", "again", Map.of(), "--json", "--group", "of-parking"));
        assertThat(rest.err()).isEmpty();
        assertThat(rest.status()).isZero();
        assertThat(rest.result().at("/result/written").asInt()).isEqualTo(4);
        assertThat(value("SELECT count(*) FROM again")).isEqualTo("40");
    }

    @Test
    void newerRowsAreKeptAndRenamedTopicsAreFound() throws Exception {
        create("raw-stations-dlq", "stations (id text PRIMARY KEY, doc jsonb)");
        sql("INSERT INTO stations VALUES ('k0', '{\"n\":\"newer\"}')");
        send("raw-stations-dlq", "raw-stations", "type", 0, 3, "");

        Run run = run(arguments(
                "raw-stations-dlq",
                "stations",
                Map.of(
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "insert.mode", "upsert",
                        "transforms", "route",
                        "transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter",
                        "transforms.route.regex", "raw-(.*)",
                        "transforms.route.replacement", "$1"),
                "--json",
                "--connector",
                "raw-stations"));

        assertThat(run.err()).isEmpty();
        assertThat(run.result().at("/result/written").asInt()).isEqualTo(2);
        assertThat(run.result().at("/result/kept").asInt()).isEqualTo(1);
        assertThat(value("SELECT string_agg(id || (doc->>'n'), ' ' ORDER BY id) FROM stations"))
                .isEqualTo("k0newer k11 k22");
    }

    @Test
    void aLaterRecordOfTheKeyInTheTopicIsNewer() throws Exception {
        create("gauges-dlq", "gauges (id text PRIMARY KEY, doc jsonb)");
        BROKER.createTopic("gauges", 2);
        send("gauges-dlq", "gauges", "type", -1_000, -996, "");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (String key : List.of("k-1000", "k-998", "k-1000")) { // the last one deletes what the first one wrote
                producer.send(new ProducerRecord<>("gauges", 0, key, "{}")).get();
            }
        }

        Run run = run(arguments(
                "gauges-dlq",
                "gauges",
                Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert"),
                "--json",
                "--latest-only"));

        assertThat(run.err()).isEmpty();
        assertThat(run.result().at("/result/superseded").asInt()).isEqualTo(1);
        assertThat(value("SELECT string_agg(id, ' ' ORDER BY id) FROM gauges")).isEqualTo("k-997 k-998 k-999");
    }

    @Test
    void documentsHaveTheOriginalOffsetsAsVersions() throws Exception {
        BROKER.createTopic("waves-dlq", 2);
        NODE.request("PUT", "/waves/_doc/k1?version=9000&version_type=external", "{\"n\":\"newer\"}");
        send("waves-dlq", "waves", "blocked", 0, 4, "");
        Map<String, String> settings = Map.of(
                "connector.class", "ElasticsearchBulkSink",
                "connection.url", NODE.url().toString(),
                "connection.username", NODE.username(),
                "connection.password", NODE.password(),
                "ssl.ca", NODE.caCertificate().toString());

        Run run = run(arguments("waves-dlq", "waves", settings, "--json"));

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.result().at("/result/written").asInt()).isEqualTo(3);
        assertThat(run.result().at("/result/kept").asInt()).isEqualTo(1);
        assertThat(NODE.request("GET", "/waves/_doc/k1", "").at("/_source/n").asText())
                .isEqualTo("newer");
        assertThat(NODE.request("GET", "/waves/_doc/k2", "").path("_version").asInt())
                .isEqualTo(1_002);
    }
}
