package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.tools.Tidegate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code tidegate redrive} with real dead letter topics and a real server. */
@Timeout(480)
final class RedriveCommandIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(150);
    private static final long START = System.currentTimeMillis(); // of the records' times
    private static final int LETTERS = 400; // of two partitions, in one part of a run
    private static final int CONNECTORS = 10;
    private static final int SHARED = 600; // letters of each of them in one queue

    private static final Kafka BROKER = new KeptBroker();
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final Elasticsearch NODE = new KeptElasticsearch();

    private static KafkaProducer<String, String> producer;

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
        Map<String, Object> config = Map.of("bootstrap.servers", BROKER.bootstrapServers());
        producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
        node.join();
        sql("CREATE TABLE tidegate_offsets (connector text, topic text, partition integer, next_offset bigint NOT NULL,"
                + " generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint,"
                + " record_rules bigint, PRIMARY KEY (connector, topic, partition))");
    }

    @AfterAll
    static void close() {
        if (producer != null) {
            producer.close();
        }
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
        try (Connection connection = connection()) {
            return value(connection, query);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String value(Connection connection, String query) {
        try (Statement statement = connection.createStatement();
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
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int n = first; n < end; n++) {
            ProducerRecord<String, String> letter = new ProducerRecord<>(
                    letters, Math.floorMod(n, 2), START + n, key.isEmpty() ? "k" + n : key, "{\"n\":" + n + "}");
            header(letter, "topic", topic);
            header(letter, "partition", String.valueOf(Math.floorMod(n, 2)));
            header(letter, "offset", String.valueOf(1_000 + n));
            header(letter, "connector.name", topic);
            header(letter, "stage", "TASK_PUT");
            header(letter, "exception.message", "row " + n + " is refused {\"kind\":\"" + kind + "\",\"n\":" + n + "}");
            sent.add(producer.send(letter));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
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

    private static void hang(String table) throws SQLException {
        sql("CREATE FUNCTION hang_" + table + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '301' THEN PERFORM pg_sleep(600); END IF; RETURN NEW; END $$");
        sql("CREATE TRIGGER hang BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION hang_" + table + "()");
    }

    private static void awaitHalf(String table) throws Exception {
        try (Connection connection = connection()) {
            assertThat(Poll.until(() -> isHalfWritten(connection, table), SOON))
                    .as("one partition is written, the other hangs")
                    .isTrue();
        }
    }

    private static boolean isHalfWritten(Connection connection, String table) {
        return value(connection, "SELECT count(*) FROM " + table).equals(String.valueOf(LETTERS / 2))
                && !value(connection, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                        .equals("0");
    }

    /** Interrupts a run, as Ctrl-C does, while the server hangs in the middle of it. */
    private static Run interrupted(List<String> arguments, String table) throws Exception {
        hang(table);
        FutureTask<Run> running = new FutureTask<>(() -> run(arguments));
        Thread thread = new Thread(running);
        thread.start();
        awaitHalf(table);
        thread.interrupt();
        Run run = running.get(SOON.toSeconds(), TimeUnit.SECONDS);
        sql("DROP TRIGGER hang ON " + table);
        return run;
    }

    private static void create(String letters, String columns) throws SQLException {
        BROKER.createTopic(letters, 2);
        sql("CREATE TABLE " + columns);
    }

    private static GroupOffsets offsets(String connector) throws ToolException {
        return GroupOffsets.open(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                RedriveCommand.GROUP_PREFIX + connector,
                connector);
    }

    private static final Map<String, String> KEYED = Map.of(
            "delivery.guarantee", "exactly_once",
            "insert.mode", "upsert",
            "pk.mode", "kafka",
            "pk.fields", "t,p,o",
            "close.timeout.ms", "100");

    @Test
    void aRunThatIsCutOffAndRepeatedWritesEachLetterOnce() throws Exception {
        create("once-dlq", "once (doc jsonb, t text, p int, o bigint, PRIMARY KEY (t, p, o))");
        send("once-dlq", "once", "constraint", 0, LETTERS, "");

        Run dry = run(arguments("once-dlq", "once", KEYED, "--dry-run"));
        assertThat(dry.err()).isEmpty();
        assertThat(dry.status()).isZero();
        assertThat(dry.out())
                .contains("once-dlq: 400 dead letters that are not done, 400 of them chosen")
                .contains("400  constraint  once  ")
                .contains("row N is refused");

        Run cut = interrupted(arguments("once-dlq", "once", KEYED), "once");
        assertThat(cut.status()).isEqualTo(2);
        assertThat(cut.err()).contains("stopped");

        Run second = run(arguments("once-dlq", "once", KEYED, "--json"));
        assertThat(second.err()).isEmpty();
        assertThat(second.status()).isZero();
        assertThat(second.result().path("unsure").asInt()).isEqualTo(LETTERS);
        assertThat(value("SELECT count(*) FROM once")).isEqualTo("400");
        assertThat(value("SELECT count(DISTINCT (t, p, o)) FROM once WHERE t = 'once' AND p = (doc->>'n')::int % 2"
                        + " AND o = 1000 + (doc->>'n')::int"))
                .isEqualTo("400");

        assertThat(run(arguments("once-dlq", "once", KEYED, "--json"))
                        .result()
                        .path("letters")
                        .asInt())
                .isZero();
        assertThat(value("SELECT count(*) FROM tidegate_offsets WHERE connector LIKE '%once'"))
                .as("nothing is left")
                .isEqualTo("0");
    }

    /** A run in a process of its own, which a trigger holds in the middle of a part. */
    @Test
    void aRunThatIsKilledIsFollowedByOneThatWritesEachLetterOnce() throws Exception {
        create("killed-dlq", "killed (doc jsonb, t text, p int, o bigint, PRIMARY KEY (t, p, o))");
        send("killed-dlq", "killed", "constraint", 0, LETTERS, "");
        hang("killed");
        List<String> arguments = arguments("killed-dlq", "killed", KEYED);
        List<String> command = new ArrayList<>(List.of("redrive"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(Jvm.ordinary()
                        .withFastStart()
                        .command(System.getProperty("java.class.path"), List.of(), Tidegate.class.getName(), command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitHalf("killed");
        } finally {
            process.destroyForcibly().waitFor();
        }
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
        sql("DROP TRIGGER hang ON killed");

        Run next = run(arguments("killed-dlq", "killed", KEYED, "--json"));
        assertThat(next.status()).isZero();
        assertThat(next.result().path("unsure").asInt()).isEqualTo(LETTERS);
        assertThat(value("SELECT count(*) FROM killed")).isEqualTo(String.valueOf(LETTERS));
    }

    @Test
    void withoutAKeyTheUserDecidesAboutLettersInDoubt() throws Exception {
        create("appended-dlq", "appended (doc jsonb)");
        send("appended-dlq", "appended", "constraint", 0, LETTERS, "");
        Map<String, String> settings = Map.of("close.timeout.ms", "100", "delivery.guarantee", "exactly_once");

        Run first = run(arguments("appended-dlq", "appended", settings));
        assertThat(first.status()).isEqualTo(2);
        assertThat(first.err())
                .contains("400 letters may be written already")
                .contains("appended-dlq-0@0..199 (200), appended-dlq-1@0..199 (200)")
                .contains("has no offset of the topic: this is its first run")
                .contains("--unsure write or --unsure skip");

        Run cut = interrupted(arguments("appended-dlq", "appended", settings, "--unsure", "write"), "appended");
        assertThat(cut.err()).contains("stopped");
        Run undecided = run(arguments("appended-dlq", "appended", settings));
        assertThat(undecided.status()).isEqualTo(2);
        assertThat(undecided.err()).contains("400 letters may be written already");
        assertThat(value("SELECT count(*) FROM appended")).isEqualTo("200");

        send("appended-dlq", "appended", "constraint", LETTERS, LETTERS + 10, "");
        Run decided = run(arguments("appended-dlq", "appended", settings, "--unsure", "skip", "--json"));
        assertThat(decided.err()).isEmpty();
        assertThat(decided.result().at("/result/unsure_skipped").asInt()).isEqualTo(LETTERS);
        assertThat(decided.result().at("/result/written").asInt()).isEqualTo(10);
        assertThat(value("SELECT count(*) FROM appended")).isEqualTo("210");

        send("appended-dlq", "appended", "constraint", LETTERS + 10, LETTERS + 12, "");
        Run known = run(arguments("appended-dlq", "appended", settings, "--json"));
        assertThat(known.err()).as("nothing is in doubt").isEmpty();
        assertThat(known.result().at("/result/written").asInt()).isEqualTo(2);
    }

    @Test
    void aDecisionToSkipIsNotNeededWhereAKeyTells() throws Exception {
        create("told-dlq", "told (doc jsonb, t text, p int, o bigint, PRIMARY KEY (t, p, o))");
        send("told-dlq", "told", "constraint", 0, 4, "");

        Run run = run(arguments("told-dlq", "told", KEYED, "--unsure", "skip", "--json"));

        assertThat(run.err()).isEmpty();
        assertThat(run.result().at("/result/written").asInt()).isEqualTo(4);
        assertThat(value("SELECT count(*) FROM told")).isEqualTo("4");
    }

    /** A task that ends between the report and the commit refuses the record twice. */
    @Test
    void aRecordThatWasRefusedTwiceIsWrittenOnce() throws Exception {
        create("twice-dlq", "twice (doc jsonb)");
        send("twice-dlq", "twice", "constraint", 0, 4, "");
        send("twice-dlq", "twice", "constraint", 2, 6, "");

        Run run = run(arguments("twice-dlq", "twice", Map.of(), "--unsure", "write", "--json"));

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.result().at("/result/written").asInt()).isEqualTo(6);
        assertThat(run.result().at("/result/repeated").asInt()).isEqualTo(2);
        assertThat(value("SELECT count(*) FROM twice")).isEqualTo("6");
    }

    @Test
    void whatFailsBeforeAnythingIsWrittenLeavesNoDoubt() throws Exception {
        create("early-dlq", "early (doc jsonb)");
        send("early-dlq", "early", "constraint", 0, 2, "");
        Map<String, String> settings = new HashMap<>(Map.of("delivery.guarantee", "exactly_once"));
        assertThat(run(arguments("early-dlq", "early", settings, "--unsure", "write"))
                        .status())
                .isZero();
        send("early-dlq", "early", "constraint", 2, 6, "");

        settings.put("connection.password", "wrong");
        Run failed = run(arguments("early-dlq", "early", settings));
        assertThat(failed.status()).isEqualTo(2);
        assertThat(failed.err()).contains("the sink's own offsets could not be removed");
        settings.remove("connection.password");
        Run next = run(arguments("early-dlq", "early", settings, "--json"));

        assertThat(next.err()).isEmpty();
        assertThat(next.result().at("/result/written").asInt()).isEqualTo(4);
    }

    @Test
    void lettersThatWereReadAsRecordsAreNotPassedInSilence() throws Exception {
        create("first-dlq", "first (doc jsonb)");
        ProducerRecord<String, String> letter = new ProducerRecord<>("first-dlq", 0, "k", "{}");
        for (String connector : List.of("other", "first")) {
            header(letter, "topic", connector);
            header(letter, "partition", "0");
            header(letter, "offset", "7");
            header(letter, "connector.name", connector);
        }
        producer.send(letter).get();
        send("first-dlq", "first", "constraint", 0, 2, "");

        Run ofLetters = run(arguments("first-dlq", "first", Map.of("redrive", "true"), "--unsure", "write"));
        assertThat(ofLetters.status()).isEqualTo(2);
        assertThat(ofLetters.err()).contains("nothing was written", "some of these are of other");
        Run run = run(arguments("first-dlq", "first", Map.of(), "--unsure", "write", "--json"));

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.result().at("/letters_as_records").asInt()).isEqualTo(1);
        assertThat(run.result().at("/result/parked").asInt()).isEqualTo(1);
        assertThat(value("SELECT count(*) FROM first")).isEqualTo("2");
        sql("CREATE TABLE other (doc jsonb)");
        Run ofOther = run(arguments("first-dlq", "first", Map.of(), "--unsure", "write", "--connector", "other"));
        assertThat(ofOther.err()).isEmpty();
        assertThat(value("SELECT count(*) FROM other")).isEqualTo("1");
    }

    @Test
    void aLaterRecordOfTheKeyIsNotNewerWhereEachRecordHasARow() throws Exception {
        create("rowed-dlq", "rowed (doc jsonb)");
        Map<String, String> keyed = Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id");

        refusesLatestOnly(Map.of());
        refusesLatestOnly(with(keyed, "table.name.format", "rowed_${timestamp:yyyy}"));
        refusesLatestOnly(with(keyed, "topic.table.map", "rowed:rowed_${field:$.site}"));
        refusesLatestOnly(with(
                with(with(keyed, "transforms", "key"), "transforms.key.fields", "id"),
                "transforms.key.type",
                "org.apache.kafka.connect.transforms.ValueToKey"));
        Map<String, String> index = Map.of(
                "connector.class", "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "connection.url", NODE.url().toString(),
                "connection.username", NODE.username(),
                "connection.password", NODE.password());
        refusesLatestOnly(with(index, "index.name", "rowed-${timestamp:yyyy}"));
        assertThat(run(arguments("rowed-dlq", "rowed", with(keyed, "transforms", ""), "--latest-only"))
                        .err())
                .isEmpty();
    }

    private void refusesLatestOnly(Map<String, String> settings) throws Exception {
        Run run = run(arguments("rowed-dlq", "rowed", settings, "--latest-only"));
        assertThat(run.err()).contains("alone does not tell a row or document: nothing was written");
        assertThat(run.status()).isEqualTo(2);
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(name, value);
        return more;
    }

    @Test
    void theParkingTopicIsNoneThatTheConnectorReads() throws Exception {
        create("levels-dlq", "levels (doc jsonb)");
        send("levels-dlq", "levels", "constraint", 0, 2, "");
        Map<String, String> settings = Map.of("topics.regex", "levels-(?!dlq$).*");

        Run read = run(arguments("levels-dlq", "levels", settings, "--unsure", "write"));
        assertThat(read.status()).isEqualTo(2);
        assertThat(read.err()).contains("the connector reads levels-dlq-parked", "--parking");
        BROKER.createTopic("levels-dlq-parked", 1); // fails if the run has done so

        Run unread = run(arguments("levels-dlq", "levels", settings, "--unsure", "write", "--parking", "parked"));
        assertThat(unread.err()).isEmpty();
        assertThat(value("SELECT count(*) FROM levels")).isEqualTo("2");
    }

    /** The connector's own consumer may go to the end. */
    @Test
    void lettersThatKafkaRemovesMeanwhileAreNotPassedOver() {
        assertThat(RedriveCommand.committed(
                        Map.of("auto.offset.reset", "latest", "isolation.level", "read_uncommitted")))
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("isolation.level", "read_committed");
    }

    @Test
    void aSecondRunIsRefusedWhileTheFirstHoldsTheGroup() throws Exception {
        create("held-dlq", "held (doc jsonb)");
        send("held-dlq", "held", "constraint", 0, 20, "");
        List<String> arguments = arguments("held-dlq", "held", Map.of(), "--unsure", "write");
        FutureTask<Run> first = new FutureTask<>(() -> run(arguments));
        try (Connection lock = connection();
                Statement statement = lock.createStatement();
                GroupOffsets group = offsets("held")) {
            lock.setAutoCommit(false);
            statement.execute("LOCK TABLE held");
            new Thread(first).start();
            assertThat(Poll.until(() -> isHeld(group), SOON)).isTrue();

            Run second = run(arguments);
            assertThat(second.status()).isEqualTo(2);
            assertThat(second.err())
                    .contains("another run has the consumer group tidegate-redrive-held (member tidegate-")
                    .contains(": waiting up to 30 s for its end")
                    .contains("nothing was written. Wait for its end, or end it");
            lock.commit();
        }
        assertThat(first.get(SOON.toSeconds(), TimeUnit.SECONDS).status()).isZero();
        assertThat(value("SELECT count(*) FROM held")).isEqualTo("20");
    }

    private static boolean isHeld(GroupOffsets group) {
        try {
            return group.otherMember("").isPresent();
        } catch (ToolException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachConnectorOfASharedQueueHasAGroupOfItsOwn() throws Exception {
        BROKER.createTopic("shared-dlq", 2);
        for (int i = 0; i < CONNECTORS; i++) {
            sql("CREATE TABLE shared" + i + " (doc jsonb)");
        }
        for (int n = 0; n < SHARED; n += SHARED / 4) { // interleaved
            for (int i = 0; i < CONNECTORS; i++) {
                send("shared-dlq", "shared" + i, "constraint", n, n + SHARED / 4, "");
            }
        }
        for (int i : new int[] {0, 1, CONNECTORS - 1}) {
            Run run = run(arguments("shared-dlq", "shared" + i, Map.of(), "--unsure", "write", "--json"));
            assertThat(run.err()).isEmpty();
            assertThat(run.result().path("of_other_connectors").asInt()).isEqualTo(SHARED * (CONNECTORS - 1));
            assertThat(run.result().at("/result/written").asInt()).isEqualTo(SHARED);
            assertThat(value("SELECT count(*) FROM shared" + i)).isEqualTo(String.valueOf(SHARED));
        }
        assertThat(run(arguments("shared-dlq", "shared0", Map.of(), "--json"))
                        .result()
                        .path("letters")
                        .asInt())
                .as("letters of others are passed once")
                .isZero();
        Run ofOther = run(arguments(
                "shared-dlq", "shared5", Map.of(), "--unsure", "write", "--group", "tidegate-redrive-shared0"));
        assertThat(ofOther.status()).isEqualTo(2);
        assertThat(ofOther.err()).contains("another connector's letters");
        assertThat(value("SELECT count(*) FROM shared5")).isEqualTo("0");
    }

    /** With the headers of another refusal it is larger than Kafka's usual limit. */
    @Test
    void aLetterOfTheLargestSizeIsParked() throws Exception {
        create("large-dlq", "large (doc jsonb CHECK (doc ? 'no'))");
        ProducerRecord<String, String> letter =
                new ProducerRecord<>("large-dlq", 0, "k", "{\"t\":\"" + "x".repeat(1_048_000) + "\"}");
        header(letter, "topic", "large");
        header(letter, "partition", "0");
        header(letter, "offset", "7");
        header(letter, "connector.name", "large");
        producer.send(letter).get();

        Run run = run(arguments("large-dlq", "large", Map.of(), "--json", "--unsure", "write"));

        assertThat(run.err()).isEmpty();
        assertThat(run.result().at("/result/parked").asInt()).isEqualTo(1);
    }

    @Test
    void lettersThatAreNotWrittenAreParkedOnce() throws Exception {
        create("again-dlq", "again (doc jsonb CHECK ((doc->>'n')::int % 10 <> 7))");
        send("again-dlq", "again", "constraint", 0, 40, "");
        send("again-dlq", "again", "data", 40, 50, "");
        send("again-dlq", "other", "constraint", 50, 60, "");

        Run first =
                run(arguments("again-dlq", "again", Map.of(), "--json", "--kind", "constraint", "--unsure", "write"));
        assertThat(first.err()).isEmpty();
        assertThat(first.status()).isEqualTo(1);
        assertThat(first.result().path("of_other_connectors").asInt()).isEqualTo(10);
        assertThat(first.result().path("left_out").asInt()).isEqualTo(10);
        assertThat(first.result().at("/result/written").asInt()).isEqualTo(36);
        assertThat(first.result().at("/result/refused_by_kind/constraint").asInt())
                .isEqualTo(4);
        assertThat(first.result().at("/result/parked").asInt()).isEqualTo(14);
        Run done = run(arguments("again-dlq", "again", Map.of(), "--json", "--kind", "constraint"));
        assertThat(done.status()).isZero();
        assertThat(done.result().path("letters").asInt()).isZero();

        Run parked = run(arguments("again-dlq-parked", "again", Map.of(), "--json", "--unsure", "write"));
        assertThat(parked.result().at("/result/written").asInt()).isEqualTo(9);
        assertThat(parked.result().at("/result/parked").asInt())
                .as("at the end of the same topic")
                .isEqualTo(5);
        sql("ALTER TABLE again DROP CONSTRAINT again_doc_check");
        Run rest = run(arguments("again-dlq-parked", "again", Map.of(), "--json"));
        assertThat(rest.err()).isEmpty();
        assertThat(rest.status()).isZero();
        assertThat(rest.result().at("/result/written").asInt()).isEqualTo(5);
        assertThat(value("SELECT count(DISTINCT doc) FROM again")).isEqualTo("50");
        assertThat(value("SELECT count(*) FROM again")).isEqualTo("50");
    }

    /** As a run leaves them that is cut off while it parks letters. */
    @Test
    void lettersOfAnAbortedTransactionAreNone() throws Exception {
        create("aborted-dlq", "aborted (doc jsonb)");
        send("aborted-dlq", "aborted", "data", 0, 4, "");
        try (KafkaProducer<String, String> transactional = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers(), "transactional.id", "aborted"),
                new StringSerializer(),
                new StringSerializer())) {
            transactional.initTransactions();
            transactional.beginTransaction();
            ProducerRecord<String, String> letter = new ProducerRecord<>("aborted-dlq", 0, "k0", "{\"n\":0}");
            header(letter, "topic", "aborted");
            header(letter, "partition", "0");
            header(letter, "offset", "1000");
            header(letter, "connector.name", "aborted");
            transactional.send(letter).get();
            transactional.abortTransaction();
        }

        Run run = run(arguments(
                "aborted-dlq",
                "aborted",
                Map.of("consumer.override.isolation.level", "read_uncommitted"),
                "--json",
                "--unsure",
                "write"));

        assertThat(run.err()).isEmpty();
        assertThat(run.result().at("/result/written").asInt()).isEqualTo(4);
        assertThat(value("SELECT count(*) FROM aborted")).isEqualTo("4");
    }

    @Test
    void readsTheConnectorAsConnectHasIt() throws Exception {
        create("rest-dlq", "rest (doc jsonb, t text, p int, o bigint, PRIMARY KEY (t, p, o))");
        send("rest-dlq", "rest", "data", 0, 4, "");
        List<String> arguments = arguments("rest-dlq", "rest", KEYED, "--json");
        byte[] config = JSON.writeValueAsBytes(
                JSON.readTree(Path.of(arguments.get(1)).toFile()).path("config"));
        HttpServer connect = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        connect.createContext("/connectors/rest/config", exchange -> {
            exchange.sendResponseHeaders(200, config.length);
            exchange.getResponseBody().write(config);
            exchange.close();
        });
        connect.start();
        try {
            arguments.set(1, "rest");
            arguments.addAll(List.of(
                    "--connect", "http://localhost:" + connect.getAddress().getPort()));

            Run run = run(arguments);

            assertThat(run.err()).isEmpty();
            assertThat(run.result().at("/result/written").asInt()).isEqualTo(4);
        } finally {
            connect.stop(0);
        }
    }

    @Test
    void showsLettersWithoutSecretsAndExportsThemWhole() throws Exception {
        BROKER.createTopic("shown-dlq", 2);
        send("shown-dlq", "shown", "constraint", 0, 30, "");
        send("shown-dlq", "other", "data", 30, 32, "");
        ProducerRecord<String, String> letter = new ProducerRecord<>("shown-dlq", 0, null, "x".repeat(5_000));
        letter.headers().add("X-Api-Key", "hush".getBytes(UTF_8));
        letter.headers().add("__connect.errors.stage", "KEY_CONVERTER".getBytes(UTF_8));
        producer.send(letter).get();

        JsonNode one = run(show("1@3")).result();
        assertThat(one.path("key").asText()).isEqualTo("k7");
        assertThat(one.path("value").asText()).isEqualTo("{\"n\":7}");
        assertThat(one.path("kind").asText()).isEqualTo("constraint");
        assertThat(one.at("/origin/offset").asInt()).isEqualTo(1_007);
        assertThat(run(show()).out().lines()).hasSize(10);
        assertThat(run(show("--connector", "other", "--limit", "20")).out().lines())
                .hasSize(2);
        Run cut = run(show("--kind", "key_converter"));
        assertThat(cut.out()).doesNotContain("hush").contains("{\"name\":\"X-Api-Key\",\"hidden\":true}");
        assertThat(cut.result().path("value").asText()).hasSize(4_096);
        assertThat(cut.result().path("value_bytes").asInt()).isEqualTo(5_000);
        assertThat(run(show("1@99")).err()).contains("Kafka has no letter shown-dlq-1@99");

        Path file = folder.resolve("letters.jsonl");
        assertThat(run(show("--export", file.toString())).status()).isZero();
        assertThat(Files.readString(file).lines()).hasSize(33);
        assertThat(Files.readString(file)).contains("x".repeat(5_000));
        assertThat(run(show("--export", file.toString())).err()).contains("letters.jsonl");
        assertThat(run(List.of("shown-dlq")).err()).contains("Missing required parameters");
    }

    private static List<String> show(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("show", "shown-dlq", "--bootstrap-servers", BROKER.bootstrapServers()));
        arguments.addAll(List.of(more));
        return arguments;
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
        for (String key : List.of("k-1000", "k-998", "k-1000")) { // the last one deletes what the first one wrote
            producer.send(new ProducerRecord<>("gauges", 0, key, "{}")).get();
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
