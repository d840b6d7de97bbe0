package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkTask;
import io.tidegate.connect.jsonb.JsonbSinkTask;
import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.CommandRun;
import io.tidegate.connect.tools.redrive.RedriveCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.converters.ByteArrayConverter;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Defects are planted at random in what a real task wrote. The audit must find all of them and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(400)
class AuditIT {
    private static final int PARTITIONS = 2;

    private final Servers servers = Servers.embedded();
    private final Kafka kafka = servers.kafka();
    private final Postgres postgres = servers.postgres();
    private final Elasticsearch elasticsearch = servers.elasticsearch();
    private final Random dice = new Random(20_261_122);

    @TempDir
    Path folder;

    /** What a command printed. */
    private record Audited(int status, List<JsonNode> lines) {
        Set<String> findings() {
            return lines.stream()
                    .filter(line -> line.has("detail"))
                    .map(line ->
                            line.get("type").asText() + " " + line.path("topic").asText("") + "-"
                                    + line.path("partition").asText("") + "@"
                                    + line.path("offset").asText(""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        JsonNode result() {
            return line("result");
        }

        /** How many rows or documents a repair has changed. */
        int repaired() {
            return line("repair").get("repaired").asInt();
        }

        /** Why findings are left alone, by place. */
        Map<String, String> left() {
            Map<String, String> left = new TreeMap<>();
            lines.stream()
                    .filter(line -> line.has("left") && line.has("detail"))
                    .forEach(line -> left.put(
                            line.path("partition").asText() + "@"
                                    + line.path("offset").asText(),
                            line.get("left").asText()));
            return left;
        }

        /** Which values differ, and what is stored: the columns or paths of all findings. */
        Set<String> differing() {
            Set<String> differing = new TreeSet<>();
            lines.forEach(line -> line.path("differences").forEach(each -> {
                assertThat(each.get("expected")).isNotEqualTo(each.get("found"));
                differing.add(
                        each.get("path").asText() + ": " + each.get("found").asText());
            }));
            return differing;
        }

        private JsonNode line(String type) {
            return lines.stream()
                    .filter(line -> line.get("type").asText().equals(type))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @BeforeAll
    void start() throws SQLException, ReflectiveOperationException {
        kafka.start();
        postgres.start();
        writeCompacted(); // Kafka compacts while the other tests run
        elasticsearch.start();
    }

    private void writeCompacted() throws SQLException, ReflectiveOperationException {
        kafka.createTopic(
                "compacted",
                PARTITIONS,
                Map.of("cleanup.policy", "compact", "segment.ms", "100", "min.cleanable.dirty.ratio", "0.001"));
        sql("CREATE TABLE compacted (doc jsonb, __connect_partition int, __connect_offset bigint)");
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of());
                RunningTask task = task(compacted())) {
            for (int i = 0; i < 5; i++) {
                for (int j = 0; j < 200; j++) {
                    send(producer, "compacted", j % PARTITIONS, "k" + j, "{\"i\":" + i + "}");
                }
                producer.flush();
                task.catchUp(); // time for the next segment
            }
        }
    }

    private Map<String, String> compacted() {
        return config("compacted", Map.of("metadata.columns", "partition,offset"));
    }

    @AfterAll
    void close() {
        elasticsearch.close();
        postgres.close();
        kafka.close();
        servers.close();
    }

    private Map<String, String> config(String topic, Map<String, String> own) {
        Map<String, String> config = new HashMap<>(Map.of(
                "name",
                topic,
                "connector.class",
                "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "topics",
                topic,
                "connection.url",
                postgres.jdbcUrl(),
                "connection.user",
                postgres.user(),
                "connection.password",
                postgres.password(),
                "key.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "value.converter",
                "org.apache.kafka.connect.converters.ByteArrayConverter"));
        config.putAll(own);
        return config;
    }

    private Map<String, String> elasticsearchConfig(String topic, Map<String, String> own) {
        Map<String, String> config = new HashMap<>(Map.of(
                "name",
                topic,
                "connector.class",
                "io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector",
                "topics",
                topic,
                "connection.url",
                elasticsearch.url().toString(),
                "connection.username",
                elasticsearch.username(),
                "connection.password",
                elasticsearch.password(),
                "ssl.ca",
                elasticsearch.caCertificate().toString(),
                "key.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "value.converter",
                "org.apache.kafka.connect.converters.ByteArrayConverter"));
        config.putAll(own);
        return config;
    }

    private static Set<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toSet());
    }

    private RunningTask task(Map<String, String> config) throws ReflectiveOperationException {
        SinkTask task =
                config.get("connector.class").contains("Jsonb") ? new JsonbSinkTask() : new ElasticsearchBulkSinkTask();
        return new RunningTask(kafka.bootstrapServers(), task, config, partitions(config.get("topics")));
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> own) {
        Map<String, Object> config = new HashMap<>(own);
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("linger.ms", 20);
        config.put("batch.size", 1 << 18);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, String topic, int partition, String key, String value) {
        Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(topic, partition, bytes(key), bytes(value)));
    }

    /** As Connect does it, into {@code TOPIC-dlq}. */
    private static void sendLetter(
            KafkaProducer<byte[], byte[]> producer, String connector, String topic, int partition, long offset) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic + "-dlq", bytes("1"));
        refusal(letter, connector, topic, partition, offset);
        Future<RecordMetadata> unused = producer.send(letter);
    }

    private void produce(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < records; i++) {
                send(
                        producer,
                        topic,
                        i % PARTITIONS,
                        "k" + i,
                        "{\"n\":" + i + ",\"level\":" + dice.nextInt(1000) + "}");
            }
        }
    }

    private long sql(String statement) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement work = connection.createStatement()) {
            boolean isResult = work.execute(statement);
            if (!isResult) {
                return work.getUpdateCount();
            }
            try (ResultSet row = work.getResultSet()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private Audited audit(Map<String, String> config, String... options) throws IOException {
        Path file = folder.resolve(config.get("name") + ".json");
        Files.writeString(file, new ObjectMapper().writeValueAsString(config));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> words =
                new ArrayList<>(List.of(file.toString(), "--bootstrap-servers", kafka.bootstrapServers(), "--json"));
        words.addAll(List.of(options));
        int status = new CommandLine(new Audit())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString().lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return new Audited(status, lines);
    }

    private Audited repair(Map<String, String> config, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("--repair", "--yes"));
        return audit(config, words.toArray(String[]::new));
    }

    private void assertClean(Map<String, String> config, long compared) throws IOException {
        Audited audited = audit(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.result().get("unknown")).isEmpty();
        assertThat(audited.status()).isZero();
        assertThat(audited.result().get("compared").asLong()).isEqualTo(compared);
    }

    private Set<Long> offsets(int count, long below) {
        Set<Long> chosen = new HashSet<>();
        while (chosen.size() < count) {
            chosen.add((long) (dice.nextDouble() * below));
        }
        return chosen;
    }

    private static String list(Set<Long> offsets) {
        return offsets.stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
    }

    @Test
    void findsAndRepairsEveryDefectOfAnAppendedTable() throws Exception {
        int records = 24_000;
        kafka.createTopic("appended", PARTITIONS);
        produce("appended", records);
        sql("CREATE TABLE appended (id bigserial PRIMARY KEY, doc jsonb NOT NULL, __connect_partition int,"
                + " __connect_offset bigint, __connect_key text)");
        Map<String, String> config = config("appended", Map.of("metadata.columns", "partition,offset,key"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, records);

        // One defect of each kind in 12,000 rows; more than that in the other partition.
        Set<String> planted = new TreeSet<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int each = partition == 0 ? 1 : 40;
            List<Long> places = new ArrayList<>(offsets(3 * each, records / PARTITIONS));
            Set<Long> deleted = new HashSet<>(places.subList(0, each));
            Set<Long> doubled = new HashSet<>(places.subList(each, 2 * each));
            Set<Long> changed = new HashSet<>(places.subList(2 * each, 3 * each));
            String where = " WHERE __connect_partition = " + partition + " AND __connect_offset IN ";
            assertThat(sql("DELETE FROM appended" + where + list(deleted))).isEqualTo(each);
            assertThat(sql("INSERT INTO appended (doc, __connect_partition, __connect_offset, __connect_key)"
                            + " SELECT doc, __connect_partition, __connect_offset, __connect_key FROM appended" + where
                            + list(doubled)))
                    .isEqualTo(each);
            assertThat(sql("UPDATE appended SET doc = doc || '{\"level\": -1}'" + where + list(changed)))
                    .isEqualTo(each);
            String place = " appended-" + partition + "@";
            deleted.forEach(offset -> planted.add("missing" + place + offset));
            doubled.forEach(offset -> planted.add("doubled" + place + offset));
            changed.forEach(offset -> planted.add("different" + place + offset));
        }

        Audited found = audit(config);
        assertThat(found.findings()).isEqualTo(planted);
        assertThat(found.differing()).containsExactly("doc.level: -1");
        assertThat(found.status()).isEqualTo(1);
        Audited repaired = repair(config);
        assertThat(repaired.findings()).isEqualTo(planted);
        // A row that is not its record's may be another log's, and then no copy of this partition is deleted, either.
        assertThat(repaired.repaired()).isEqualTo(1 + 40);
        planted.removeIf(finding -> finding.startsWith("missing"));
        assertThat(audit(config).findings()).isEqualTo(planted);

        // A user who knows that the rows are wrong deletes them. The rest follows from the records.
        assertThat(sql("DELETE FROM appended WHERE doc->>'level' = '-1'")).isEqualTo(1 + 40);
        assertThat(repair(config).repaired()).isEqualTo(2 * (1 + 40));
        assertClean(config, records);
        assertThat(sql("SELECT count(*) FROM appended")).isEqualTo(records);
    }

    @Test
    void goesOnWhereTheAuditBeforeEnded() throws Exception {
        int records = 10_000;
        kafka.createTopic("resumed", PARTITIONS);
        produce("resumed", records);
        sql("CREATE TABLE resumed (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("resumed", Map.of("metadata.columns", "partition,offset"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        Path file = folder.resolve("resumed.compared");
        sql("DELETE FROM resumed WHERE __connect_offset = 7");

        // It ends in the second partition.
        AtomicReference<Audited> stopped = new AtomicReference<>();
        Thread audit = new Thread(() -> {
            try {
                stopped.set(audit(config, "--resume", file.toString(), "--rate", "2000"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        audit.start();
        assertThat(Poll.until(() -> Files.exists(file), Duration.ofSeconds(30))).isTrue();
        audit.interrupt();
        audit.join();
        assertThat(stopped.get()).as("it was stopped").isNull();

        Audited rest = audit(config, "--resume", file.toString());
        assertThat(rest.findings()).containsExactly("missing resumed-1@7");
        assertThat(rest.result().get("compared").asInt()).isEqualTo(records / PARTITIONS);

        // What came since.
        produce("resumed", 1_000);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("DELETE FROM resumed WHERE __connect_partition = 0 AND __connect_offset = " + records / PARTITIONS);
        Audited newer = audit(config, "--resume", file.toString());
        assertThat(newer.findings()).containsExactly("missing resumed-0@" + records / PARTITIONS);
        assertThat(newer.result().get("compared").asInt()).isEqualTo(1_000);
        Audited nothing = audit(config, "--resume", file.toString());
        assertThat(nothing.status()).isZero();
        assertThat(nothing.result().get("compared").asInt()).isZero();

        kafka.deleteTopic("resumed");
        kafka.createTopic("resumed", PARTITIONS);
        assertRefused(config, "is of an earlier topic resumed", "--resume", file.toString());
        config.put("name", "another");
        assertRefused(config, "is not of this connector (another)", "--resume", file.toString());
    }

    private void assertRefused(Map<String, String> config, String reason, String... options) throws Exception {
        Path file = folder.resolve("refused.json");
        Files.writeString(file, new ObjectMapper().writeValueAsString(config));
        List<String> words = new ArrayList<>(
                List.of("audit", file.toString(), "--bootstrap-servers", kafka.bootstrapServers(), "--json"));
        words.addAll(List.of(options));
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        assertThat(run.err()).contains(reason);
        assertThat(run.status()).isEqualTo(2);
    }

    @Test
    void namesRowsThatNoRecordExplainsAndKeepsThem() throws Exception {
        kafka.createTopic("indexed", PARTITIONS);
        produce("indexed", 4_000);
        sql("CREATE TABLE indexed (doc jsonb, __connect_topic text, __connect_partition int, __connect_offset bigint,"
                + " PRIMARY KEY (__connect_topic, __connect_partition, __connect_offset))");
        Map<String, String> config =
                config("indexed", Map.of("pk.mode", "kafka", "insert.mode", "ignore", "topics", "indexed"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 4_000);
        sql("DELETE FROM indexed WHERE __connect_partition = 1 AND __connect_offset = 77");
        sql("UPDATE indexed SET doc = '[]' WHERE __connect_partition = 0 AND __connect_offset = 1999");
        Set<String> planted = Set.of("missing indexed-1@77", "different indexed-0@1999");
        assertThat(repair(config).findings()).isEqualTo(planted);
        assertThat(audit(config).left()).containsOnlyKeys("0@1999");
        sql("DELETE FROM indexed WHERE __connect_partition = 0 AND __connect_offset = 1999");
        assertThat(repair(config).repaired()).isOne();
        assertClean(config, 4_000);

        // Kafka deletes records: their rows cannot be compared any more, and their number is known.
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition("indexed", 0), RecordsToDelete.beforeOffset(500)))
                    .all()
                    .get();
        }
        Audited expired = audit(config);
        assertThat(expired.findings()).isEmpty();
        assertThat(expired.status()).isEqualTo(3);
        assertThat(expired.result().get("compared").asLong()).isEqualTo(3_500);
        assertThat(expired.result()
                        .get("unknown")
                        .get("rows whose records Kafka has deleted since")
                        .asLong())
                .isEqualTo(500);
    }

    @Test
    void findsAndRepairsEveryDefectOfAKeyedTable() throws Exception {
        int keys = 7_000;
        kafka.createTopic("keyed", PARTITIONS);
        Map<String, Long> latest = new HashMap<>(); // offset by key; a deletion has a negative one
        long[] next = new long[PARTITIONS];
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 3 * keys; i++) {
                int key = i < keys ? i : dice.nextInt(keys);
                boolean isDeletion = i >= keys && dice.nextInt(10) == 0;
                send(producer, "keyed", key % PARTITIONS, "k" + key, isDeletion ? null : "{\"n\":" + i + "}");
                long offset = next[key % PARTITIONS]++;
                latest.put("k" + key, isDeletion ? -offset : offset);
            }
        }
        sql("CREATE TABLE keyed (id text PRIMARY KEY, doc jsonb NOT NULL, note text, __connect_topic text,"
                + " __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "keyed",
                Map.of(
                        "pk.mode",
                        "record_key",
                        "pk.fields",
                        "id",
                        "insert.mode",
                        "upsert",
                        "delete.enabled",
                        "true",
                        "metadata.columns",
                        "topic,partition,offset"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 3L * keys);

        List<String> live = latest.keySet().stream()
                .filter(key -> latest.get(key) > 0)
                .sorted()
                .toList();
        List<String> gone = latest.keySet().stream()
                .filter(key -> latest.get(key) < 0)
                .sorted()
                .toList();
        Set<String> planted = new TreeSet<>();
        for (int i = 0; i < 30; i++) {
            String deleted = live.get(3 * i);
            String stale = live.get(3 * i + 1);
            assertThat(sql("DELETE FROM keyed WHERE id = '" + deleted + "'")).isOne();
            assertThat(sql("UPDATE keyed SET doc = '{\"n\":-1}', note = 'kept', __connect_offset = -1 WHERE id = '"
                            + stale + "'"))
                    .isOne();
            planted.add("missing keyed-" + place(deleted, latest));
            planted.add("different keyed-" + place(stale, latest));
        }
        String undeleted = gone.get(dice.nextInt(gone.size()));
        sql("INSERT INTO keyed VALUES ('" + undeleted + "', '{}', NULL, 'keyed', "
                + Integer.parseInt(undeleted.substring(1)) % PARTITIONS + ", 0)");
        planted.add("surplus keyed-" + place(undeleted, latest));

        Audited found = audit(config);
        assertThat(found.findings()).isEqualTo(planted);
        assertThat(found.differing()).containsExactly("__connect_offset: -1", "doc.n: -1");
        assertThat(repair(config).repaired()).isEqualTo(planted.size());
        assertClean(config, 3L * keys);
        assertThat(sql("SELECT count(*) FROM keyed WHERE note = 'kept'")).isEqualTo(30);

        // Nothing shows that these are older than the records: somebody else may have changed them.
        String changed = live.get(100);
        sql("UPDATE keyed SET doc = '{}' WHERE id = '" + changed + "'");
        sql("INSERT INTO keyed VALUES ('" + undeleted + "', '{}')");
        assertRefused(config, "several of its records may make one row", "--resume", "unused");
        Audited left = repair(config);
        assertThat(left.left()).containsOnlyKeys(place(changed, latest), place(undeleted, latest));
        assertThat(left.findings()).hasSize(2).isEqualTo(audit(config).findings());
        sql("DELETE FROM keyed WHERE id IN ('" + changed + "', '" + undeleted + "')");
        assertThat(repair(config).repaired()).isOne();
        assertClean(config, 3L * keys);

        sql("INSERT INTO keyed VALUES ('nobody', '{}', NULL, 'keyed', 0, 0)");
        assertThat(repair(config).findings()).containsExactly("surplus -@");
        assertThat(sql("SELECT count(*) FROM keyed WHERE id = 'nobody'")).isOne();
    }

    /** Such a deletion would be refused: no guard keeps it from a row that is newer. */
    @Test
    void promisesNoDeletionThatTheSinkWouldNotMake() throws Exception {
        kafka.createTopic("ignoring", PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            send(producer, "ignoring", 0, "a", "{}");
            send(producer, "ignoring", 0, "a", null);
        }
        sql("CREATE TABLE ignoring (id text PRIMARY KEY, doc jsonb, __connect_topic text, __connect_partition int,"
                + " __connect_offset bigint)");
        Map<String, String> config = config(
                "ignoring",
                Map.of(
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "insert.mode", "ignore",
                        "delete.enabled", "true",
                        "metadata.columns", "topic,partition,offset"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("INSERT INTO ignoring VALUES ('a', '{}', 'ignoring', 0, 0)");

        Audited repaired = repair(config);
        assertThat(repaired.findings()).containsExactly("surplus ignoring-0@1");
        assertThat(repaired.left())
                .containsExactly(
                        Map.entry("0@1", "with insert.mode=ignore only stale.write.guard=offset keeps what is newer"));
        assertThat(sql("SELECT count(*) FROM ignoring")).isOne();
    }

    @Test
    void countsNoRecordAsRepairedThatTheSettingsSkip() throws Exception {
        kafka.createTopic("skipping", PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            send(producer, "skipping", 0, "a", "{\"n\":1}");
            send(producer, "skipping", 0, "b", "{\"n\":2}");
        }
        Map<String, String> config = config(
                "skipping",
                Map.of(
                        "auto.create", "true",
                        "metadata.columns", "topic,partition,offset",
                        "error.overrides", "P0001:ignore"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertThat(sql("DELETE FROM skipping")).isEqualTo(2);
        sql("CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '1' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END $$");
        sql("CREATE TRIGGER refuse_one AFTER INSERT ON skipping FOR EACH ROW EXECUTE FUNCTION refuse_one()");

        Audited repaired = repair(config);
        assertThat(repaired.findings()).containsExactly("missing skipping-0@0", "missing skipping-0@1");
        assertThat(repaired.repaired()).isOne();
        assertThat(repaired.line("repair").get("left").toString())
                .contains("the connector's settings skip such records");
    }

    private static String place(String key, Map<String, Long> latest) {
        return Integer.parseInt(key.substring(1)) % PARTITIONS + "@" + Math.abs(latest.get(key));
    }

    @Test
    void inventsNothingWhileTheSinkWrites() throws Exception {
        kafka.createTopic("busy", PARTITIONS);
        sql("CREATE TABLE busy (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config = config(
                "busy",
                Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert", "delete.enabled", "true"));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread sink = new Thread(() -> {
            try (RunningTask task = task(config);
                    KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
                Random random = new Random(7);
                for (int i = 0; !isOver.get(); i++) {
                    for (int j = 0; j < 200; j++) {
                        int key = random.nextInt(3_000);
                        send(producer, "busy", key % PARTITIONS, "k" + key, random.nextInt(5) == 0 ? null : "" + i);
                    }
                    producer.flush();
                    task.step();
                }
                task.catchUp();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        sink.start();
        try {
            for (int i = 0; i < 4; i++) {
                Audited audited = i == 3 ? repair(config) : audit(config);
                assertThat(audited.findings()).isEmpty();
            }
        } finally {
            isOver.set(true);
            sink.join();
        }
        assertThat(audit(config).findings()).isEmpty();
        assertThat(sql("SELECT count(*) FROM busy")).isPositive();
    }

    @Test
    void comparesUpToTheOffsetsTableAndKnowsTransactions() throws Exception {
        kafka.createTopic("once", PARTITIONS);
        Map<String, String> config = config(
                "once",
                Map.of(
                        "metadata.columns",
                        "topic,partition,offset",
                        "delivery.guarantee",
                        "exactly_once",
                        "ordering",
                        "partition",
                        "auto.create",
                        "true"));
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "once"))) {
            producer.initTransactions();
            for (int i = 0; i < 20; i++) {
                producer.beginTransaction();
                for (int j = 0; j < 100; j++) {
                    send(producer, "once", j % PARTITIONS, null, "{\"i\":" + i + ",\"j\":" + j + "}");
                }
                if (i % 5 == 4) {
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        // A worker's consumer reads aborted records unless it is told not to.
        assertThat(sql("SELECT count(*) FROM once")).isEqualTo(2_000);
        assertClean(config, 2_000);
        assertThat(sql("DELETE FROM once WHERE __connect_partition = 1 AND __connect_offset = 60"))
                .isOne();
        assertThat(repair(config).findings()).containsExactly("missing once-1@60");
        assertClean(config, 2_000);

        // Without the worker's file, nothing tells whether the connector reads them: a repair does not write them.
        String aborted = "DELETE FROM once WHERE doc->>'i' = '4'";
        assertThat(sql(aborted)).isEqualTo(100);
        Audited left = repair(config);
        assertThat(left.findings()).hasSize(100);
        assertThat(left.repaired()).isZero();
        assertThat(left.line("repair").toString()).contains("its transaction is not committed");
        Path properties = Files.writeString(folder.resolve("once.properties"), "isolation.level=read_committed");
        assertThat(audit(config, "--client-properties", properties.toString())
                        .result()
                        .get("missing")
                        .asInt())
                .isZero();
        Files.writeString(properties, "isolation.level=read_uncommitted");
        assertThat(repair(config, "--client-properties", properties.toString()).repaired())
                .isEqualTo(100);
        assertClean(config, 2_000);
    }

    @Test
    void findsAndRepairsEveryDefectOfAnIndexWithCoordinates() throws Exception {
        int records = 3_000;
        kafka.createTopic("documents", PARTITIONS);
        produce("documents", records);
        Map<String, String> config = elasticsearchConfig("documents", Map.of("key.ignore", "true"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, records);

        Set<String> planted = new TreeSet<>();
        List<Long> places = new ArrayList<>(offsets(10, records / PARTITIONS));
        for (long offset : places.subList(0, 5)) {
            elasticsearch.request("DELETE", "/documents/_doc/documents+0+" + offset, "");
            planted.add("missing documents-0@" + offset);
        }
        for (long offset : places.subList(5, 10)) {
            elasticsearch.request("PUT", "/documents/_doc/documents+1+" + offset, "{\"n\":-1}");
            planted.add("different documents-1@" + offset);
        }
        Audited found = audit(config);
        assertThat(found.findings()).isEqualTo(planted);
        assertThat(found.differing()).containsExactly("level: null", "n: -1");
        assertThat(repair(config).repaired()).isEqualTo(5);
        planted.removeIf(finding -> finding.startsWith("missing"));
        Audited left = repair(config);
        assertThat(left.findings()).isEqualTo(planted);
        assertThat(left.left()).hasSize(5);
        for (long offset : places.subList(5, 10)) {
            elasticsearch.request("DELETE", "/documents/_doc/documents+1+" + offset, "");
        }
        assertThat(repair(config).repaired()).isEqualTo(5);
        assertClean(config, records);
    }

    @Test
    void findsAndRepairsEveryDefectOfAnIndexWithKeys() throws Exception {
        int keys = 2_000;
        kafka.createTopic("latest", PARTITIONS);
        Map<String, Long> latest = new HashMap<>();
        long[] next = new long[PARTITIONS];
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 3 * keys; i++) {
                int key = i < keys ? i : dice.nextInt(keys);
                boolean isDeletion = i >= keys && dice.nextInt(10) == 0;
                send(producer, "latest", key % PARTITIONS, "k" + key, isDeletion ? null : "{\"n\":" + i + ".0}");
                long offset = next[key % PARTITIONS]++;
                latest.put("k" + key, isDeletion ? -offset : offset);
            }
        }
        Map<String, String> config = elasticsearchConfig("latest", Map.of("behavior.on.null.values", "delete"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 3L * keys);

        Set<String> planted = new TreeSet<>();
        List<String> live = latest.keySet().stream()
                .filter(key -> latest.get(key) > 0)
                .sorted()
                .toList();
        elasticsearch.request("PUT", "/latest/_settings", "{\"index.gc_deletes\":\"0s\"}");
        String version = "version_type=external_gte&version=";
        for (int i = 0; i < 10; i++) {
            String deleted = live.get(4 * i);
            String stale = live.get(4 * i + 1);
            String changed = live.get(4 * i + 2);
            String newer = live.get(4 * i + 3);
            elasticsearch.request("DELETE", "/latest/_doc/" + deleted + "?" + version + latest.get(deleted), "");
            elasticsearch.request("DELETE", "/latest/_doc/" + stale, "");
            elasticsearch.request("PUT", "/latest/_doc/" + changed + "?" + version + latest.get(changed), "{\"n\":-1}");
            elasticsearch.request("PUT", "/latest/_doc/" + newer, "{\"n\":-1}");
            planted.add("missing latest-" + place(deleted, latest));
            planted.add("different latest-" + place(stale, latest));
            planted.add("different latest-" + place(changed, latest));
            planted.add("different latest-" + place(newer, latest));
        }
        for (int i = 0; i < 10; i++) {
            String stale = "/latest/_doc/" + live.get(4 * i + 1) + "?" + version + "0";
            assertThat(Poll.until(() -> isTaken("PUT", stale, "{\"n\":-1}"), Duration.ofSeconds(10)))
                    .as("the index forgets the versions of deletions")
                    .isTrue();
        }
        Audited found = audit(config);
        assertThat(found.findings()).isEqualTo(planted);
        assertThat(found.differing()).containsExactly("n: -1");
        assertThat(repair(config).repaired()).isEqualTo(20);
        Audited left = repair(config);
        assertThat(left.findings()).hasSize(20).allMatch(finding -> finding.startsWith("different"));
        assertThat(Set.copyOf(left.left().values()))
                .containsExactlyInAnyOrder(
                        "it has the version of the record, so something else changed it",
                        "it has a higher version than any record of its id");
    }

    private boolean isTaken(String method, String path, String body) {
        try {
            elasticsearch.request(method, path, body);
            return true;
        } catch (ServerException e) {
            return false;
        }
    }

    @Test
    void comparesFromATimeOnAndExpectsNoRefusedRecords() throws Exception {
        kafka.createTopic("since", PARTITIONS);
        kafka.createTopic("since-dlq", 1);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 1_000; i++) {
                long time = 1_700_000_000_000L + i * 1_000L;
                String value = i == 800 ? "not JSON" : "{\"n\":" + i + "}";
                Future<RecordMetadata> unused = producer.send(
                        new ProducerRecord<>("since", i % PARTITIONS, time, bytes("k" + i), bytes(value)));
            }
            // Nothing in a temporary table shows that a trigger would refuse this one.
            sendLetter(producer, "since", "since", 1, 450);
        }
        sql("CREATE TABLE since (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "since",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "since-dlq"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("DELETE FROM since WHERE doc->>'n' IN ('3', '901', '902')");
        Audited audited = repair(config, "--since", "2023-11-14T22:23:20Z");
        assertThat(audited.findings()).containsExactly("missing since-0@451");
        assertThat(audited.result().get("refused").asInt()).isEqualTo(2);
        assertThat(audited.result().get("compared").asInt()).isEqualTo(398);
        assertThat(audited.repaired()).isOne();
        assertThat(audit(config).findings()).containsExactly("missing since-1@1");
        Audited earlier = audit(config, "--until", "2023-11-14T22:23:20Z");
        assertThat(earlier.findings()).containsExactly("missing since-1@1");
        assertThat(earlier.result().get("lag").asInt()).isZero(); // what comes later is written, too
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void doesNotBlameRowsWhoseRecordsAreCompactedAway() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            // Kafka does not compact the last segment, and only a record begins the next one.
            send(producer, "compacted", 0, "last", "{}");
            send(producer, "compacted", 1, "last", "{}");
        }
        List<Audited> audits = new ArrayList<>();
        assertThat(Poll.until(
                        () -> {
                            audits.add(audited(compacted()));
                            return !audits.get(audits.size() - 1)
                                    .result()
                                    .get("unknown")
                                    .isEmpty();
                        },
                        Duration.ofSeconds(60)))
                .isTrue();
        assertThat(audits).allSatisfy(audit -> assertThat(audit.findings()).isEmpty());
        JsonNode result = audits.get(audits.size() - 1).result();
        long compactedAway = result.get("unknown")
                .get("rows whose records Kafka may have compacted away")
                .asLong();
        assertThat(compactedAway)
                .isPositive()
                .isEqualTo(1_000 - result.get("compared").asLong());
        assertThat(sql("DELETE FROM compacted WHERE __connect_partition = 1 AND __connect_offset = 499"))
                .isOne();
        assertThat(audit(compacted()).findings()).containsExactly("missing compacted-1@499");
        assertThat(audit(compacted(), "--key", "last").result().path("unknown")).isEmpty(); // rows of other keys
    }

    private Audited audited(Map<String, String> config) {
        try {
            return audit(config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "insert |        | metadata.columns=topic,partition,offset,timestamp,headers,key"
                        + " extract.columns=level:$.n::numeric,name:$.b::text,at:$.t::timestamptz",
                "upsert | kafka  | metadata.columns=timestamp",
                "upsert | record_key | pk.fields=a,b stale.write.guard=offset metadata.columns=topic,partition,offset"
                        + " delete.enabled=true",
                "upsert | record_key | pk.fields=a stale.write.guard=level extract.columns=level:$.n::int",
                "upsert | record_key | pk.fields=a,b metadata.columns=topic,partition,offset delete.enabled=true"
                        + " skip.unchanged=true",
                "merge  | record_key | pk.fields=a,b metadata.columns=offset",
                "ignore | record_key | pk.fields=a metadata.columns=offset",
                "upsert | record_value | pk.fields=a,b"
            })
    void comparesTheRowsOfEveryMode(String mode, String keyMode, String settings) throws Exception {
        String topic = "mode" + Integer.toHexString((mode + keyMode + settings).hashCode());
        Map<String, String> own = new HashMap<>(Map.of("insert.mode", mode, "auto.create", "true"));
        own.put("pk.mode", keyMode == null ? "none" : keyMode);
        own.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        for (String setting : settings.split(" ", -1)) {
            own.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        boolean isObjectKey = settings.contains("pk.fields=a,b");
        own.put(
                "key.converter",
                isObjectKey && "record_key".equals(keyMode)
                        ? "org.apache.kafka.connect.json.JsonConverter"
                        : "org.apache.kafka.connect.storage.StringConverter");
        own.put("key.converter.schemas.enable", "false");
        kafka.createTopic(topic, PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 600; i++) {
                String key = isObjectKey ? "{\"a\":" + i % 50 + ",\"b\":\"x\"}" : "k" + i % 50;
                String value = "{\"a\":" + i % 50 + ",\"b\":\"x\",\"n\":" + i + ",\"f" + i % 7
                        + "\":true,\"t\":\"2026-11-22T10:00:00.5Z\"}";
                send(producer, topic, i % PARTITIONS, key, value);
            }
        }
        Map<String, String> config = config(topic, own);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 600);
        long rows = sql("SELECT count(*) FROM \"" + topic + '"');
        assertThat(sql("DELETE FROM \"" + topic + "\" WHERE ctid = (SELECT min(ctid) FROM \"" + topic + "\")"))
                .isOne();
        assertThat(repair(config).findings()).singleElement().asString().startsWith("missing " + topic);
        if (!"merge".equals(mode)) {
            assertClean(config, 600);
            assertThat(sql("SELECT count(*) FROM \"" + topic + '"')).isEqualTo(rows);
        }
    }

    /** Some rows were written before the table had all columns, or while it had one more. Nothing differs until somebody changes it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "known  | rest   | pk.mode=kafka",
                "add    | rest   | pk.mode=none metadata.columns=topic,partition,offset",
                "known  | ignore | pk.mode=kafka insert.mode=upsert",
                "add    | rest   | pk.mode=record_key pk.fields=id insert.mode=upsert delete.enabled=true"
                        + " metadata.columns=topic,partition,offset",
                "known  | rest   | pk.mode=record_value pk.fields=a insert.mode=merge",
                "known  | refuse | pk.mode=record_key pk.fields=id insert.mode=ignore"
            })
    void comparesFieldsInColumns(String columns, String unknown, String settings) throws Exception {
        String topic = "fields" + Integer.toHexString((columns + unknown + settings).hashCode());
        Map<String, String> own = new HashMap<>(Map.of("columns.from.fields", columns, "unknown.fields", unknown));
        for (String setting : settings.split(" ", -1)) {
            own.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        String isKeyed = own.get("pk.fields");
        String all = isKeyed == null
                ? "__connect_topic text, __connect_partition int, __connect_offset bigint, UNIQUE (__connect_topic,"
                        + " __connect_partition, __connect_offset), a int"
                : (isKeyed.equals("a") ? "" : isKeyed + " text PRIMARY KEY, ") + "a int"
                        + (isKeyed.equals("a") ? " PRIMARY KEY" : "")
                        + (own.containsKey("metadata.columns")
                                ? ", __connect_topic text, __connect_partition int, __connect_offset bigint"
                                : "");
        sql("CREATE TABLE \"" + topic + "\" (serial bigserial, " + all
                + ", made timestamptz NOT NULL DEFAULT now(), b text, level numeric(10,2), doc "
                // A field may have the name that the value's column has elsewhere.
                + (unknown.equals("ignore") ? "int" : "jsonb")
                + (unknown.equals("refuse")
                        ? ", n int, text text, list jsonb, at timestamptz(3), price numeric(6,3), uid uuid"
                        : "")
                + ")");
        kafka.createTopic(topic, PARTITIONS);
        Map<String, String> config = config(topic, own);
        sendFields(topic, 0, 300);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("ALTER TABLE \"" + topic + "\"" + (unknown.equals("refuse") ? "" : " DROP b,")
                + " ADD IF NOT EXISTS n int, ADD IF NOT EXISTS text text,"
                + " ADD IF NOT EXISTS list jsonb, ADD IF NOT EXISTS more int DEFAULT 5,"
                + " ADD IF NOT EXISTS at timestamptz(3), ADD IF NOT EXISTS price numeric(6,3),"
                + " ADD IF NOT EXISTS uid uuid");
        sendFields(topic, 300, 450);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }

        assertClean(config, 450);

        long rows = sql("SELECT count(*) FROM \"" + topic + '"');
        String of = " WHERE ctid = (SELECT max(ctid) FROM \"" + topic + "\")";
        assertThat(sql("UPDATE \"" + topic + "\" SET level = level + 1" + of)).isOne();
        Audited changed = audit(config);
        assertThat(changed.findings()).singleElement().asString().startsWith("different " + topic);
        assertThat(changed.differing()).singleElement().asString().startsWith("level: ");
        if (unknown.equals("rest") && !"a".equals(isKeyed)) { // the column is older than the one that was dropped
            assertThat(sql("UPDATE \"" + topic + "\" SET level = level - 1, a = NULL" + of))
                    .isOne();
            assertThat(audit(config).differing()).singleElement().asString().startsWith("a: ");
        }
        assertThat(sql("DELETE FROM \"" + topic + '"' + of)).isOne();
        assertThat(repair(config).findings()).singleElement().asString().startsWith("missing " + topic);
        if (!settings.contains("merge")) {
            assertClean(config, 450);
            assertThat(sql("SELECT count(*) FROM \"" + topic + '"')).isEqualTo(rows);
        }
    }

    private void sendFields(String topic, int from, int to) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = from; i < to; i++) {
                int key = i % 200;
                String value = "{\"a\":" + key + ",\"b\":\"x\",\"level\":" + i + ".005,\"n\":" + i + ",\"text\":"
                        + (i % 3 == 0 ? "null" : "\"t" + i + "\"") + (i % 5 == 0 ? "" : ",\"list\":[1.0,{}]")
                        + ",\"at\":\"2026-11-23T10:00:00.123456+01\",\"price\":" + i + ".23456,\"uid\":\"A0EEBC99-"
                        + "9C0B-4EF8-BB6D-6BB9BD380A11\"}";
                send(producer, topic, key % PARTITIONS, "k" + key, value);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The sink does not store these keys, so that PostgreSQL takes its rows. */
    @ParameterizedTest
    @ValueSource(strings = {"pk.mode=none metadata.columns=topic,partition,offset", "pk.mode=record_value pk.fields=a"})
    void comparesRowsOfRecordsWhoseKeysPostgresDoesNotTake(String settings) throws Exception {
        String topic = "nul" + Integer.toHexString(settings.hashCode());
        Map<String, String> own = new HashMap<>(Map.of("auto.create", "true"));
        for (String setting : settings.split(" ", -1)) {
            own.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        own.put("insert.mode", own.get("pk.mode").equals("none") ? "insert" : "upsert");
        own.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        own.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        kafka.createTopic(topic, PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 20; i++) {
                send(producer, topic, 0, i % 2 == 0 ? "k" + i : "k\0" + i, "{\"a\":" + i + "}");
            }
        }
        Map<String, String> config = config(topic, own);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }

        assertClean(config, 20);
        assertThat(sql("DELETE FROM \"" + topic + "\" WHERE doc @> '{\"a\": 7}'"))
                .isOne();
        assertThat(audit(config).findings()).containsExactly("missing " + topic + "-0@7");
    }

    /** Keys that are written by hand, so that they can move. */
    private void sendAll(String topic, Object... records) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < records.length; i += 3) {
                send(producer, topic, (int) records[i], (String) records[i + 1], (String) records[i + 2]);
                producer.flush();
            }
        }
    }

    @Test
    void neverWritesAnOlderRecordOfAKeyThatMoved() throws Exception {
        kafka.createTopic("moved", PARTITIONS);
        sql("CREATE TABLE moved (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config = config(
                "moved",
                Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert", "delete.enabled", "true"));
        Map<String, String> indexed = elasticsearchConfig(
                "moved",
                Map.of("behavior.on.null.values", "delete", "name", "moved-indexed", "external.version", "none"));
        try (RunningTask task = task(config);
                RunningTask indexing = task(indexed)) {
            sendAll("moved", 1, "a", "{\"v\":1}", 1, "gone", "{\"v\":1}", 1, "stays", "{\"v\":1}");
            task.catchUp();
            indexing.catchUp();
            sendAll("moved", 0, "a", "{\"v\":2}", 0, "gone", null);
            task.catchUp();
            indexing.catchUp();
        }
        for (Map<String, String> each : List.of(config, indexed)) {
            Audited audited = repair(each);
            assertThat(audited.findings()).isEmpty();
            assertThat(audited.status()).isEqualTo(3);
            assertThat(audited.result()
                            .get("unknown")
                            .properties()
                            .iterator()
                            .next()
                            .getValue()
                            .asInt())
                    .isEqualTo(2);
        }
        assertThat(sql("SELECT (doc->>'v')::int FROM moved WHERE id = 'a'")).isEqualTo(2);
        assertThat(sql("SELECT count(*) FROM moved")).isEqualTo(2);

        // What is neither version is damage, but nothing tells what it should be.
        sql("UPDATE moved SET doc = '{\"v\":3}' WHERE id = 'a'");
        elasticsearch.request("PUT", "/moved/_doc/a", "{\"v\":3}");
        for (Map<String, String> each : List.of(config, indexed)) {
            Audited damaged = repair(each);
            assertThat(damaged.findings()).singleElement().asString().startsWith("different moved-");
            assertThat(damaged.left().values()).singleElement().asString().contains("several partitions");
        }
        assertThat(sql("SELECT (doc->>'v')::int FROM moved WHERE id = 'a'")).isEqualTo(3);
    }

    @Test
    void keepsRowsUnderCoordinatesThatTwoLogsShare() throws Exception {
        kafka.createTopic("recreated", PARTITIONS);
        sql("CREATE TABLE recreated (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("recreated", Map.of("metadata.columns", "partition,offset"));
        sendAll("recreated", 0, "a", "1", 0, "b", "2", 0, "c", "3", 1, "d", "4");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        // Rows of a log that was there before: some under the same coordinates, some behind the end of this one.
        sql("INSERT INTO recreated SELECT '\"first\"', 0, i FROM generate_series(0, 2) AS i");
        sql("INSERT INTO recreated SELECT '\"first\"', 1, i FROM generate_series(1, 3) AS i");
        sql("INSERT INTO recreated SELECT '4', 1, 0");
        Audited audited = repair(config);
        assertThat(audited.findings())
                .containsExactly(
                        "doubled recreated-0@0",
                        "doubled recreated-0@1",
                        "doubled recreated-0@2",
                        "doubled recreated-1@0");
        assertThat(audited.result()
                        .get("unknown")
                        .properties()
                        .iterator()
                        .next()
                        .getValue()
                        .asInt())
                .isEqualTo(3);
        assertThat(sql("SELECT count(*) FROM recreated")).isEqualTo(4 + 7);
    }

    @Test
    void keepsACopyThatIsNotEqual() throws Exception {
        kafka.createTopic("copies", PARTITIONS);
        sql("CREATE TYPE mood_of_copy AS ENUM ('new', 'by hand')");
        sql(
                "CREATE TABLE copies (id bigserial, doc jsonb, __connect_partition int, __connect_offset bigint, note text,"
                        + " seen mood_of_copy DEFAULT 'new', since timestamptz DEFAULT now(), tag varchar(9) DEFAULT '(none)')");
        Map<String, String> config = config("copies", Map.of("metadata.columns", "partition,offset"));
        sendAll("copies", 0, "a", "1", 0, "b", "2");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        String copy = "INSERT INTO copies (doc, __connect_partition, __connect_offset, note) SELECT doc,"
                + " __connect_partition, __connect_offset, ";
        sql(copy + "note FROM copies");
        sql(copy + "'read by hand' FROM copies WHERE __connect_offset = 0 AND id = 1");
        sql(copy + "note FROM copies WHERE __connect_offset = 1 AND id = 2");
        sql("UPDATE copies SET seen = 'by hand' WHERE __connect_offset = 1 AND id = 2");
        sql("UPDATE copies SET tag = 'by hand' WHERE __connect_offset = 0 AND id = 1");
        assertThat(repair(config).repaired()).isOne();
        assertThat(sql("SELECT count(*) FROM copies")).isEqualTo(5);
        assertThat(sql("SELECT count(*) FROM copies WHERE tag = 'by hand'")).isOne();
        assertThat(sql("SELECT count(*) FROM copies WHERE seen = 'by hand'")).isOne();
        assertThat(sql("SELECT count(*) FROM copies WHERE note = 'read by hand'"))
                .isOne();
    }

    /** Records with other keys are of the same row. */
    @Test
    void theKeyOfARecordIsNotThatOfARowOfSomeOfItsFields() throws Exception {
        kafka.createTopic("days", PARTITIONS);
        sql("CREATE TABLE days (id text, part text, doc jsonb, PRIMARY KEY (id, part))");
        Map<String, String> config =
                config("days", Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id,part"));
        String key = "{\"id\":\"a\",\"part\":\"b\",\"day\":";
        sendAll("days", 0, key + "1}", "1", 0, key + "2}", "2");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }

        assertThat(audit(config, "--key", key + "1}").findings()).isEmpty();
        assertThat(audit(config, "--key", "[\"a\",\"b\"]")
                        .result()
                        .get("compared")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void isNotCleanWhenNothingWasCompared() throws Exception {
        kafka.createTopic("mistyped", PARTITIONS);
        sql("CREATE TABLE mistyped (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("mistyped", Map.of("metadata.columns", "partition,offset"));
        sendAll("mistyped", 0, "a", "1", 1, "b", "2");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 2);
        Map<String, String> other = new HashMap<>(config);
        other.put("name", "mistaken");
        Audited audited = audit(other);
        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result().get("unknown").toString()).contains("connect-mistaken", ":2");
        assertThat(audit(other, "--fail-on", "unknown").status()).isOne();
        assertThat(audit(config, "--partition", "1").result().get("compared").asInt())
                .isOne();
        assertThat(audit(config, "--key", "a").result().get("compared").asInt()).isOne();
        assertThat(audit(config, "--topic", "mistyped", "--rate", "1000").status())
                .isZero();
    }

    @Test
    void takesOnlyItsOwnOpenLettersForRefusedRecords() throws Exception {
        kafka.createTopic("letters", PARTITIONS);
        kafka.createTopic("letters-dlq", 1);
        sendAll("letters", 0, "a", "1", 0, "b", "2", 0, "c", "3", 1, "d", "4");
        sql("CREATE TABLE letters (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "letters",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "letters-dlq"));
        try (RunningTask task = task(config);
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            for (int offset = 0; offset < 3; offset++) {
                sendLetter(producer, offset == 1 ? "another" : "letters", "letters", 0, offset);
            }
        }
        sql("DELETE FROM letters");
        Audited audited = audit(config);
        assertThat(audited.findings()).containsExactly("missing letters-0@1", "missing letters-1@0");
        assertThat(audited.result().get("refused").asInt()).isEqualTo(2);

        // After a redrive the store should have their rows.
        Path file = folder.resolve("letters.json");
        assertThat(new CommandLine(new RedriveCommand())
                        .setOut(new PrintWriter(new StringWriter()))
                        .execute(
                                "letters-dlq",
                                file.toString(),
                                "--bootstrap-servers",
                                kafka.bootstrapServers(),
                                "--unsure",
                                "write"))
                .isZero();
        assertThat(sql("DELETE FROM letters WHERE __connect_offset = 2")).isOne();
        assertThat(audit(config).findings())
                .containsExactly("missing letters-0@1", "missing letters-0@2", "missing letters-1@0");

        // Kafka forgets the offsets of a group that is not used for a week.
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteConsumerGroups(List.of("tidegate-redrive-letters"))
                    .all()
                    .get();
        }
        Audited forgotten = audit(config);
        assertThat(forgotten.findings()).containsExactly("missing letters-0@1", "missing letters-1@0");
        assertThat(forgotten.result().get("refused").asInt()).isZero();
        assertThat(forgotten.result().get("unknown").toString())
                .contains("Kafka has forgotten")
                .contains(":1}");
    }

    @Test
    void aRedriveThatParksElsewhereIsNotForgotten() throws Exception {
        kafka.createTopic("elsewhere", PARTITIONS);
        kafka.createTopic("elsewhere-dlq", 1);
        sendAll("elsewhere", 0, "a", "1", 0, "b", "2");
        sql("CREATE TABLE elsewhere (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "elsewhere",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "elsewhere-dlq"));
        try (RunningTask task = task(config);
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            sendLetter(producer, "elsewhere", "elsewhere", 0, 1);
        }
        kafka.createTopic("lost-letters", 1); // as redrive --parking does, whose offsets Kafka has forgotten since
        sql("DELETE FROM elsewhere WHERE __connect_offset = 1");

        Audited audited = audit(config, "--parking", "lost-letters");

        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result().get("refused").asInt()).isZero();
    }

    /** A letter of a deletion may have been written since, so that the row is rightly gone. */
    @Test
    void bringsBackNoRowThatALetterMayHaveDeleted() throws Exception {
        kafka.createTopic("undone", 1);
        kafka.createTopic("undone-dlq", 1);
        sendAll("undone", 0, "a", "{\"n\":1}", 0, "b", "{\"n\":1}", 0, "a", null);
        sql("CREATE TABLE undone (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config = config(
                "undone",
                Map.of(
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "insert.mode", "upsert",
                        "delete.enabled", "true",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "undone-dlq"));
        try (RunningTask task = new RunningTask(
                        kafka.bootstrapServers(),
                        new JsonbSinkTask(),
                        config,
                        Set.of(new TopicPartition("undone", 0)));
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            sendLetter(producer, "undone", "undone", 0, 2);
        }
        Audited audited = repair(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.status()).isEqualTo(3);
        assertThat(sql("SELECT count(*) FROM undone")).isOne();
    }

    /** Other settings of the tool, or another host, can make a converter fail that the connector's did not. */
    @Test
    void comparesNothingThatOnlyItCannotRead() throws Exception {
        kafka.createTopic("unread", PARTITIONS);
        sendAll("unread", 0, "a", "{\"n\":1}", 1, "b", "{\"n\":2}");
        sql("CREATE TABLE unread (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("unread", Map.of("metadata.columns", "partition,offset"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        Map<String, String> failing = new HashMap<>(config);
        failing.put("value.converter", "org.apache.kafka.connect.json.JsonConverter"); // wants schemas in the values
        String file = folder.resolve("unread.offsets").toString();
        Audited audited = audit(failing, "--resume", file);
        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result().get("refused").asInt()).isZero();
        assertThat(audited.result().get("unknown").toString())
                .contains("cannot read here")
                .contains(":2}");
        assertThat(audit(config, "--resume", file).result().get("compared").asInt())
                .isEqualTo(2);
    }

    /** What a record wrote that cannot be read here is neither surplus nor damage. */
    @Test
    void blamesNoRowOfARecordThatOnlyItCannotRead() throws Exception {
        kafka.createTopic("halfread", PARTITIONS);
        sendAll("halfread", 0, "a", "{\"n\":1}", 0, "a", "{\"n\":2} ", 0, "b", "{\"n\":3} ", 1, "c", "{\"n\":4}");
        sql("CREATE TABLE halfread (doc jsonb, __connect_partition int, __connect_offset bigint)");
        sql("CREATE TABLE halfread_keys (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> rows = config("halfread", Map.of("metadata.columns", "partition,offset"));
        Map<String, String> keys = config(
                "halfread",
                Map.of(
                        "name", "halfread-keys",
                        "table.name.format", "halfread_keys",
                        "insert.mode", "upsert",
                        "pk.mode", "record_key",
                        "pk.fields", "id"));
        Map<String, String> ids = elasticsearchConfig("halfread", Map.of("name", "halfread-ids"));
        for (Map<String, String> config : List.of(rows, keys, ids)) {
            try (RunningTask task = task(config)) {
                task.catchUp();
            }
            Map<String, String> failing = new HashMap<>(config);
            failing.put("value.converter", SpacesConverter.class.getName());
            Audited audited = repair(failing);
            assertThat(audited.findings()).as(config.get("name")).isEmpty();
            assertThat(audited.status()).isEqualTo(3);
            assertThat(audited.result().get("unknown").toString()).contains("cannot read here", "be read here");
        }
        assertThat(sql("SELECT count(*) FROM halfread")).isEqualTo(4);
        assertThat(sql("SELECT sum((doc->>'n')::int) FROM halfread_keys")).isEqualTo(9);
    }

    /** Fails at values that end with a space. */
    public static final class SpacesConverter extends ByteArrayConverter {
        @Override
        public SchemaAndValue toConnectData(String topic, byte[] value) {
            if (value != null && value[value.length - 1] == ' ') {
                throw new DataException("a space");
            }
            return super.toConnectData(topic, value);
        }
    }

    /** The newest record of an id was lost, and an older one of another partition is stored. */
    @Test
    void anIdThatFitsAnOlderRecordOfAnotherPartitionIsNotKnownToBeRight() throws Exception {
        kafka.createTopic("overtaken", PARTITIONS);
        sendAll("overtaken", 1, "x", "{\"v\":0}", 1, "a", "{\"v\":1}", 0, "a", "{\"v\":2}");
        Map<String, String> byOffset = elasticsearchConfig("overtaken", Map.of());
        Map<String, String> byField = elasticsearchConfig(
                "overtaken",
                Map.of(
                        "name", "overtaken-field",
                        "index.name", "overtaken-field",
                        "external.version", "${field:v}",
                        "external.version.type", "external_gte"));
        for (Map<String, String> config : List.of(byOffset, byField)) {
            try (RunningTask task = task(config)) {
                task.catchUp();
            }
        }
        Audited unknown = audit(byOffset); // 0 is below 1
        assertThat(unknown.findings()).as(unknown.lines().toString()).isEmpty();
        assertThat(unknown.status()).isEqualTo(3);
        assertThat(unknown.result().get("unknown").toString()).contains("several partitions");

        elasticsearch.request("DELETE", "/overtaken-field", "");
        elasticsearch.request(
                "PUT",
                "/overtaken-field/_doc/a?refresh=true&version=1&version_type=external_gte",
                "{\"v\":1}"); // as if 2 was never written
        assertThat(audit(byField).findings())
                .containsExactly("different overtaken-0@0", "missing overtaken-1@0"); // x went with its index
    }

    @Test
    void doesNotTakeDocumentsForComparedWhoseContentIsNotStored() throws Exception {
        kafka.createTopic("sourceless", PARTITIONS);
        elasticsearch.request("PUT", "/sourceless", "{\"mappings\":{\"_source\":{\"enabled\":false}}}");
        sendAll("sourceless", 0, "a", "{\"v\":1}");
        Map<String, String> config = elasticsearchConfig("sourceless", Map.of());
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        Audited audited = audit(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.status()).isEqualTo(3);
    }

    /** A repair would write the record of a letter that the next redrive writes again. */
    @Test
    void repairsNothingIfTheDeadLettersAreNotKnown() throws Exception {
        kafka.createTopic("unlettered", PARTITIONS);
        sendAll("unlettered", 0, "a", "{\"v\":1}");
        sql("CREATE TABLE unlettered (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "unlettered",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "unlettered-dlq"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("DELETE FROM unlettered");
        assertThat(audit(config).findings()).containsExactly("missing unlettered-0@0");
        assertRefused(config, "not all dead letters were read", "--repair", "--yes");
        assertThat(sql("SELECT count(*) FROM unlettered")).isZero();

        kafka.createTopic("unlettered-dlq", 1);
        assertThat(repair(config).repaired()).isEqualTo(1);
    }

    @Test
    void comparesNoRowsOfDeadLetters() throws Exception {
        assertRefused(config("letters", Map.of("redrive", "true")), "the connector that refused them");
    }

    /** A connector may read the letters of another one as records. */
    @Test
    void takesTheLettersOfAConnectorThatReadsLettersForRefusedRecords() throws Exception {
        kafka.createTopic("archived", PARTITIONS);
        kafka.createTopic("archived-dlq", 1);
        sql("CREATE TABLE archived (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "archived",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "archived-dlq"));
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of());
                RunningTask task = task(config)) {
            for (int i = 0; i < 2; i++) {
                ProducerRecord<byte[], byte[]> read = new ProducerRecord<>("archived", 0, bytes("k"), bytes("{}"));
                refusal(read, "origin", "origin", 3, 40_213);
                Future<RecordMetadata> unused = producer.send(read);
            }
            producer.flush();
            task.catchUp();
            ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>("archived-dlq", bytes("{}"));
            refusal(letter, "origin", "origin", 3, 40_213);
            refusal(letter, "archived", "archived", 0, 1);
            Future<RecordMetadata> unused = producer.send(letter);
        }
        sql("DELETE FROM archived");

        Audited audited = repair(config);
        assertThat(audited.findings()).containsExactly("missing archived-0@0");
        assertThat(audited.repaired()).isZero();
        assertThat(audited.lines().toString()).contains("the record is itself a dead letter");
        assertThat(sql("SELECT count(*) FROM archived")).isZero();
    }

    private static void refusal(
            ProducerRecord<byte[], byte[]> record, String connector, String topic, int partition, long offset) {
        record.headers()
                .add("__connect.errors.connector.name", bytes(connector))
                .add("__connect.errors.topic", bytes(topic))
                .add("__connect.errors.partition", bytes("" + partition))
                .add("__connect.errors.offset", bytes("" + offset));
    }

    /** The partition that is left out may have the key's newest record. */
    @Test
    void writesNoKeyOfWhichAPartitionIsLeftOut() throws Exception {
        kafka.createTopic("partial", PARTITIONS);
        sql("CREATE TABLE partial (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config =
                config("partial", Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert"));
        Map<String, String> indexed =
                elasticsearchConfig("partial", Map.of("name", "partial-indexed", "external.version", "none"));
        sendAll("partial", 1, "a", "{\"v\":1}", 0, "a", "{\"v\":2}");
        try (RunningTask task = task(config);
                RunningTask indexing = task(indexed)) {
            task.catchUp();
            indexing.catchUp();
        }
        sql("DELETE FROM partial");
        elasticsearch.request("DELETE", "/partial/_doc/a?refresh=true", "");
        for (Map<String, String> each : List.of(config, indexed)) {
            Audited audited = repair(each, "--partition", "1");
            assertThat(audited.findings()).containsExactly("missing partial-1@0");
            assertThat(audited.left().values()).singleElement().asString().contains("left out");
        }
        assertThat(sql("SELECT count(*) FROM partial")).isZero();
    }

    /** A plan is carried out in parts, and before each one the records are read that came meanwhile. */
    @Test
    void writesMoreThanAPart() throws Exception {
        kafka.createTopic("many", PARTITIONS);
        produce("many", 1300);
        sql("CREATE TABLE many (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config =
                config("many", Map.of("pk.mode", "record_key", "pk.fields", "id", "insert.mode", "upsert"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sendAll("many", 0, "k0", "{}", 1, "k1", "{}");
        sql("DELETE FROM many");
        assertThat(repair(config, "--max", "2000").repaired()).isEqualTo(1298);
        assertThat(sql("SELECT count(*) FROM many")).isEqualTo(1298);
    }

    /** Connect would give the records again for ever. */
    @Test
    void aRedriveEndsIfTheRegistryDoesNotAnswer() throws Exception {
        kafka.createTopic("avros-dlq", 1);
        kafka.createTopic("avros", 1);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>("avros-dlq", new byte[] {0, 0, 0, 0, 1, 2});
            letter.headers()
                    .add("__connect.errors.connector.name", bytes("avros"))
                    .add("__connect.errors.topic", bytes("avros"))
                    .add("__connect.errors.partition", bytes("0"))
                    .add("__connect.errors.offset", bytes("0"));
            Future<RecordMetadata> unused = producer.send(letter);
        }
        Map<String, String> config = config(
                "avros",
                Map.of(
                        "value.format", "avro",
                        "schema.registry.url", "http://localhost:1",
                        "retry.timeout.ms", "500",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", "avros-dlq"));
        Path file = folder.resolve("avros.json");
        Files.writeString(file, new ObjectMapper().writeValueAsString(config));
        StringWriter err = new StringWriter();
        int status = new CommandLine(new RedriveCommand())
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    err.write(e.getMessage());
                    return 2;
                })
                .execute(
                        "avros-dlq",
                        file.toString(),
                        "--bootstrap-servers",
                        kafka.bootstrapServers(),
                        "--unsure",
                        "write");
        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("the sink takes no records").contains("localhost:1");
    }

    /** The record before is expected instead. */
    @ParameterizedTest
    @ValueSource(strings = {"table", "index"})
    void expectsNoRecordWithADeadLetterUnderItsKey(String store) throws Exception {
        String topic = "refused" + store;
        kafka.createTopic(topic, PARTITIONS);
        kafka.createTopic(topic + "-dlq", 1);
        sendAll(topic, 0, "a", "{\"n\":1}", 0, "b", "{\"n\":2}", 0, "a", "{\"n\":\"refused\"}");
        Map<String, String> own = new HashMap<>(Map.of(
                "errors.tolerance", "all",
                "errors.deadletterqueue.topic.name", topic + "-dlq",
                "key.converter", "org.apache.kafka.connect.storage.StringConverter"));
        boolean isTable = store.equals("table");
        if (isTable) {
            sql("CREATE TABLE " + topic + " (id text PRIMARY KEY, doc jsonb)");
            own.putAll(Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id"));
        } else {
            own.put("external.version", "none");
        }
        Map<String, String> config = isTable ? config(topic, own) : elasticsearchConfig(topic, own);
        try (RunningTask task = task(config);
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            sendLetter(producer, topic, topic, 0, 2);
        }
        if (isTable) {
            sql("UPDATE " + topic + " SET doc = '{\"n\":1}' WHERE id = 'a'");
        } else {
            elasticsearch.request("PUT", "/" + topic + "/_doc/a?refresh=true", "{\"n\":1}");
        }
        assertThat(audit(config).findings()).isEmpty();
        if (isTable) {
            sql("DELETE FROM " + topic + " WHERE id = 'a'");
        } else {
            elasticsearch.request("DELETE", "/" + topic + "/_doc/a?refresh=true", "");
        }
        assertThat(audit(config).findings()).containsExactly("missing " + topic + "-0@0");
    }

    @Test
    void countsNoRecordWithADeadLetter() throws Exception {
        kafka.createTopic("uncounted", PARTITIONS);
        kafka.createTopic("uncounted-dlq", 1);
        sendAll("uncounted", 0, "a", "1", 0, "b", "2", 1, "c", "3");
        sql("CREATE TABLE uncounted (doc jsonb)");
        Map<String, String> config = config(
                "uncounted", Map.of("errors.tolerance", "all", "errors.deadletterqueue.topic.name", "uncounted-dlq"));
        try (RunningTask task = task(config);
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            sendLetter(producer, "uncounted", "uncounted", 0, 1);
        }
        sql("DELETE FROM uncounted WHERE doc = '2'");
        Audited audited = audit(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.result().get("refused").asInt()).isOne();

        sql("DELETE FROM uncounted WHERE doc = '3'");
        assertThat(audit(config).findings()).hasSize(1);
    }

    @Test
    void takesEitherOfTwoRecordsOfAKeyWithOneVersionInSeveralPartitions() throws Exception {
        kafka.createTopic("tie", PARTITIONS);
        sql("CREATE TABLE tie (id text PRIMARY KEY, doc jsonb, version bigint)");
        Map<String, String> config = config(
                "tie",
                Map.of(
                        "insert.mode", "upsert",
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "extract.columns", "version:$.v::bigint",
                        "stale.write.guard", "version",
                        "key.converter", "org.apache.kafka.connect.storage.StringConverter"));
        String one = "{\"v\": 2, \"from\": 0}";
        String other = "{\"v\": 2, \"from\": 1}";
        sendAll("tie", 0, "a", "{\"v\": 1}", 0, "a", one, 1, "a", other, 0, "b", "{\"v\": 9}", 1, "b", "{\"v\": 8}");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        for (String winner : List.of(one, other)) {
            sql("UPDATE tie SET doc = '" + winner + "' WHERE id = 'a'");
            assertThat(audit(config).findings()).isEmpty();
        }
        sql("UPDATE tie SET doc = '{\"v\": 1}', version = 1 WHERE id = 'a'");
        sql("UPDATE tie SET doc = '{\"v\": 8}', version = 8 WHERE id = 'b'");
        assertThat(audit(config).findings()).hasSize(2);
    }

    @Test
    void takesEitherOfTwoDocumentsOfAnIdWithOneVersionInSeveralPartitions() throws Exception {
        kafka.createTopic("tied", PARTITIONS);
        Map<String, String> config = elasticsearchConfig(
                "tied", Map.of("external.version", "${field:$.v}", "external.version.type", "external_gte"));
        String one = "{\"v\": 2, \"from\": 0}";
        String other = "{\"v\": 2, \"from\": 1}";
        sendAll("tied", 0, "a", "{\"v\": 1}", 0, "a", one, 1, "a", other, 0, "b", "{\"v\": 9}", 1, "b", "{\"v\": 8}");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        String version = "?version_type=external_gte&version=";
        for (String winner : List.of(one, other)) {
            elasticsearch.request("PUT", "/tied/_doc/a" + version + 2, winner);
            assertThat(audit(config).findings()).isEmpty();
            assertThat(audit(config).status()).isZero();
        }
        elasticsearch.request("PUT", "/tied/_doc/a" + version + 2, "{\"v\": 2, \"from\": 2}");
        elasticsearch.request("PUT", "/tied/_doc/b" + version + 9, "{\"v\": 8}");
        assertThat(audit(config).findings()).hasSize(2);

        // Whichever of the two is written is right.
        elasticsearch.request("DELETE", "/tied", "");
        Audited repaired = repair(config);
        assertThat(repaired.findings()).hasSize(2);
        assertThat(repaired.left()).isEmpty();
        assertThat(audit(config).findings()).isEmpty();
    }

    @Test
    void aLaterRecordOfALowerVersionClearsNothing() throws Exception {
        kafka.createTopic("late", PARTITIONS);
        Map<String, String> config = elasticsearchConfig(
                "late", Map.of("external.version", "${field:$.v}", "external.version.type", "external_gte"));
        sendAll("late", 0, "a", "{\"v\": 5}", 0, "a", "{\"v\": 3}", 0, "b", "{\"v\": 5}", 0, "b", "{\"v\": 3}");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 4);
        elasticsearch.request("DELETE", "/late/_doc/a?version_type=external_gte&version=5", "");
        elasticsearch.request("DELETE", "/late", "");
        elasticsearch.request("PUT", "/late/_doc/a?version_type=external_gte&version=3", "{\"v\": 3}");
        elasticsearch.request("PUT", "/late/_doc/b?version_type=external_gte&version=5", "{\"v\": 5}");

        assertThat(audit(config).findings()).containsExactly("different late-0@0");
    }

    /** A value and not the offset tells which record is the newest: it may be among those that were not read. */
    @Test
    void writesNoRecordIfAnOlderOneThatWasNotReadMayHaveAHigherValue() throws Exception {
        kafka.createTopic("higher", 1);
        sql("CREATE TABLE higher (id text PRIMARY KEY, doc jsonb, v bigint)");
        Map<String, String> config = config(
                "higher",
                Map.of(
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "insert.mode", "upsert",
                        "extract.columns", "v:$.v::bigint",
                        "stale.write.guard", "v"));
        Map<String, String> indexed = elasticsearchConfig(
                "higher",
                Map.of(
                        "name", "higher-indexed",
                        "external.version", "${field:$.v}",
                        "external.version.type", "external_gte"));
        long time = 1_700_000_000_000L;
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int v : new int[] {5, 3}) {
                Future<RecordMetadata> unused = producer.send(new ProducerRecord<>(
                        "higher", 0, time + 60_000L * (6 - v), bytes("a"), bytes("{\"v\":" + v + "}")));
            }
        }
        Set<TopicPartition> only = Set.of(new TopicPartition("higher", 0));
        try (RunningTask task = new RunningTask(kafka.bootstrapServers(), new JsonbSinkTask(), config, only);
                RunningTask indexing =
                        new RunningTask(kafka.bootstrapServers(), new ElasticsearchBulkSinkTask(), indexed, only)) {
            task.catchUp();
            indexing.catchUp();
        }
        assertThat(sql("SELECT v FROM higher")).isEqualTo(5);
        assertThat(sql("DELETE FROM higher")).isOne();
        elasticsearch.request("DELETE", "/higher", "");

        String since = Instant.ofEpochMilli(time + 120_000).toString();
        Audited left = repair(config, "--since", since);
        assertThat(left.findings()).containsExactly("missing higher-0@1");
        assertThat(left.left()).hasSize(1).containsEntry("0@1", Scope.VALUES_UNREAD);
        assertThat(repair(indexed, "--since", since).left()).hasSize(1).containsEntry("0@1", Scope.VALUES_UNREAD);
        assertThat(sql("SELECT count(*) FROM higher")).isZero();

        assertThat(repair(config).repaired()).isOne();
        assertThat(sql("SELECT v FROM higher")).isEqualTo(5);
    }

    /** A newer record that is merged into a row does not bring back what an older one had. */
    @Test
    void aNewerRecordThatReplacesNotAllOfARowExplainsNoDifference() throws Exception {
        kafka.createTopic("busy-parts", PARTITIONS);
        sql("CREATE TABLE \"busy-parts\" (id text PRIMARY KEY, doc jsonb)");
        for (String mode : List.of("merge", "upsert")) {
            Map<String, String> config = config(
                    "busy-parts",
                    Map.of("name", "busy-" + mode, "pk.mode", "record_key", "pk.fields", "id", "insert.mode", mode));
            sendAll("busy-parts", 0, "a", "{\"a\":1}", 0, "a", "{\"b\":1}");
            try (RunningTask task = task(config)) {
                task.catchUp();
            }
            sql("UPDATE \"busy-parts\" SET doc = '{\"wrong\":1}'");
            sendAll("busy-parts", 0, "a", "{\"b\":2}");

            Audited audited = audit(config);

            assertThat(audited.findings()).isEmpty();
            assertThat(audited.status()).isEqualTo(mode.equals("merge") ? 3 : 0);
        }
    }

    @Test
    void comparesAViewButDeletesNoCopiesThroughIt() throws Exception {
        kafka.createTopic("seen", PARTITIONS);
        sql("CREATE TABLE behind (doc jsonb, __connect_partition int, __connect_offset bigint)");
        sql("CREATE VIEW seen AS SELECT * FROM behind");
        Map<String, String> config = config("seen", Map.of("metadata.columns", "partition,offset"));
        produce("seen", 40);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 40);
        sql("DELETE FROM behind WHERE __connect_partition = 1 AND __connect_offset = 3");
        sql("INSERT INTO behind SELECT * FROM behind WHERE __connect_partition = 0 AND __connect_offset = 5");

        Audited repaired = repair(config);

        assertThat(repaired.findings()).containsExactly("doubled seen-0@5", "missing seen-1@3");
        assertThat(repaired.repaired()).isOne();
        assertThat(sql("SELECT count(*) FROM behind")).isEqualTo(41);
    }

    /** A repair would insert such rows once more each night. */
    @Test
    void comparesNoTableOfWhichAPolicyHidesRows() throws Exception {
        kafka.createTopic("hidden", PARTITIONS);
        sql("CREATE TABLE hidden (doc jsonb, __connect_partition int, __connect_offset bigint)");
        sql("ALTER TABLE hidden ENABLE ROW LEVEL SECURITY");
        sql("CREATE POLICY written ON hidden FOR INSERT WITH CHECK (true)");
        sql("CREATE ROLE blind LOGIN PASSWORD 'blind'");
        sql("GRANT SELECT, INSERT ON hidden TO blind");
        Map<String, String> config = config(
                "hidden",
                Map.of(
                        "metadata.columns", "partition,offset",
                        "connection.user", "blind",
                        "connection.password", "blind"));
        produce("hidden", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertThat(sql("SELECT count(*) FROM hidden")).isEqualTo(20);

        assertRefused(config, "row-level security policy for table \"hidden\"", "--repair", "--yes");
        assertRefused(config, "a role with BYPASSRLS");
        assertThat(sql("SELECT count(*) FROM hidden")).isEqualTo(20);

        sql("ALTER ROLE blind BYPASSRLS");
        assertClean(config, 20);
        sql("REVOKE SELECT ON hidden FROM blind");
        assertRefused(config, "needs SELECT on the table and TEMPORARY on the database");
    }

    /** Rows of others that refer to a copy would go with it. */
    @Test
    void deletesNoCopiesToWhichRowsOfOthersMayRefer() throws Exception {
        kafka.createTopic("referred", PARTITIONS);
        sql("CREATE TABLE referred (id bigserial, doc jsonb, __connect_partition int, __connect_offset bigint)"
                + " PARTITION BY RANGE (id)");
        sql("CREATE TABLE referred_1 PARTITION OF referred (PRIMARY KEY (id)) FOR VALUES FROM (0) TO (1000000)");
        sql("CREATE TABLE alarm (row_id bigint REFERENCES referred_1 ON DELETE CASCADE)");
        Map<String, String> config = config("referred", Map.of("metadata.columns", "partition,offset"));
        produce("referred", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        String copy = "INSERT INTO referred (doc, __connect_partition, __connect_offset)"
                + " SELECT doc, __connect_partition, __connect_offset FROM referred WHERE __connect_offset = 3 AND"
                + " __connect_partition = 0";
        assertThat(sql(copy)).isOne();
        sql("INSERT INTO alarm SELECT max(id) FROM referred");

        Audited repaired = repair(config);

        assertThat(repaired.findings()).containsExactly("doubled referred-0@3");
        assertThat(repaired.line("plan").toString()).contains("\"changes\":0", "a foreign key refers to its table");
        assertThat(sql("SELECT count(*) FROM alarm")).isOne();
        sql("DROP TABLE alarm");
        assertThat(repair(config).repaired()).isOne();
    }

    /** A repair would write rows again each night that a trigger changes or drops. */
    @Test
    void blamesNoRowThatATriggerMayHaveChanged() throws Exception {
        kafka.createTopic("changed", PARTITIONS);
        sql("CREATE TABLE changed (doc jsonb, __connect_partition int, __connect_offset bigint)");
        sql("CREATE TABLE rewritten (id text PRIMARY KEY, doc jsonb)");
        sql("CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '1' THEN RETURN NULL; END IF;"
                + " IF NEW.doc->>'n' = '2' THEN NEW.doc = NEW.doc || '{\"seen\":true}'; END IF; RETURN NEW; END $$");
        sql("CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$");
        for (String table : List.of("changed", "rewritten")) {
            sql("CREATE TRIGGER change BEFORE INSERT OR UPDATE ON " + table
                    + " FOR EACH ROW EXECUTE FUNCTION change()");
        }
        Map<String, String> config = config("changed", Map.of("metadata.columns", "partition,offset"));
        Map<String, String> keyed = config(
                "changed",
                Map.of(
                        "name", "rewritten",
                        "table.name.format", "rewritten",
                        "insert.mode", "upsert",
                        "pk.mode", "record_key",
                        "pk.fields", "id"));
        produce("changed", 20);
        for (Map<String, String> each : List.of(config, keyed)) {
            try (RunningTask task = task(each)) {
                task.catchUp();
            }
            Audited repaired = repair(each);
            assertThat(repaired.findings()).isEmpty();
            assertThat(repaired.status()).isEqualTo(3);
            assertThat(repaired.result().get("unknown").toString())
                    .contains("a trigger of the table")
                    .contains(":2}");
            assertThat(repaired.line("plan").toString()).contains("\"changes\":0");
        }
        // None of these runs for what this connector does: nor does TimescaleDB's own one drop rows.
        sql("ALTER TABLE changed DISABLE TRIGGER change");
        sql("CREATE TRIGGER on_update BEFORE UPDATE OR DELETE ON changed FOR EACH ROW EXECUTE FUNCTION change()");
        sql("CREATE TRIGGER ts_insert_blocker BEFORE INSERT ON changed FOR EACH ROW EXECUTE FUNCTION keep()");
        sql("CREATE TRIGGER replica BEFORE INSERT ON changed FOR EACH ROW EXECUTE FUNCTION change()");
        sql("ALTER TABLE changed ENABLE REPLICA TRIGGER replica");
        assertThat(repair(config).repaired()).isOne();
        assertThat(audit(config).findings()).containsExactly("different changed-0@1");
        // A row that only an update may change cannot be missing.
        sql("DROP TRIGGER change ON rewritten");
        sql("CREATE TRIGGER change BEFORE UPDATE ON rewritten FOR EACH ROW EXECUTE FUNCTION change()");
        Audited updated = audit(keyed);
        assertThat(updated.findings()).containsExactly("missing changed-1@0");
        assertThat(updated.result().get("unknown").toString()).contains("a trigger of the table", ":1}");
    }

    /** NOT VALID means that older rows need not fulfil the constraint. */
    @Test
    void expectsRowsThatAreOlderThanAConstraint() throws Exception {
        kafka.createTopic("constrained", PARTITIONS);
        sql("CREATE TABLE constrained (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("constrained", Map.of("metadata.columns", "partition,offset"));
        produce("constrained", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("ALTER TABLE constrained ADD CONSTRAINT \"new rows\" CHECK ((doc->>'n')::int > 5) NOT VALID");

        assertClean(config, 20);

        assertThat(sql("DELETE FROM constrained WHERE (doc->>'n')::int <= 5")).isEqualTo(6);
        assertThat(audit(config).findings()).hasSize(6).allMatch(finding -> finding.startsWith("missing"));
    }

    /** A repair would send such documents again each night. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void missesNoDocumentThatAPipelineMayDrop(boolean isByKey) throws Exception {
        String topic = isByKey ? "dropped-keys" : "dropped";
        kafka.createTopic(topic, PARTITIONS);
        elasticsearch.request("PUT", "/_ingest/pipeline/dropping", "{\"processors\":[{\"drop\":{}}]}");
        elasticsearch.request("PUT", "/" + topic, "{\"settings\":{\"index.default_pipeline\":\"dropping\"}}");
        Map<String, String> config = elasticsearchConfig(topic, Map.of("key.ignore", String.valueOf(!isByKey)));
        produce(topic, 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }

        Audited repaired = repair(config);

        assertThat(repaired.findings()).isEmpty();
        assertThat(repaired.status()).isEqualTo(3);
        assertThat(repaired.result().get("unknown").toString())
                .contains("that are not there: the ingest pipeline dropping may")
                .contains(":20}");
        assertThat(repaired.line("plan").toString()).contains("\"changes\":0");
    }

    @Test
    void findsMissingDocumentsBehindAPipelineThatDropsNone() throws Exception {
        kafka.createTopic("enriched", PARTITIONS);
        elasticsearch.request(
                "PUT", "/_ingest/pipeline/enriching", "{\"processors\":[{\"set\":{\"field\":\"seen\",\"value\":1}}]}");
        elasticsearch.request("PUT", "/enriched", "{\"settings\":{\"index.default_pipeline\":\"enriching\"}}");
        Map<String, String> config = elasticsearchConfig("enriched", Map.of("key.ignore", "true"));
        produce("enriched", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        elasticsearch.request("DELETE", "/enriched/_doc/enriched+0+3", "");

        Audited repaired = repair(config);

        assertThat(repaired.findings()).containsExactly("missing enriched-0@3");
        assertThat(repaired.repaired()).isOne();
        Audited audited = audit(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.result().get("unknown").toString())
                .contains("only the existence was compared: the ingest pipeline enriching may change documents");
    }

    /** The connector's own pipeline is asked instead of the default one; "_none" is none. */
    @Test
    void asksOnlyForThePipelinesThatRun() throws Exception {
        kafka.createTopic("unpiped", PARTITIONS);
        elasticsearch.request("PUT", "/_ingest/pipeline/unused", "{\"processors\":[{\"drop\":{}}]}");
        elasticsearch.request("PUT", "/unpiped", "{\"settings\":{\"index.default_pipeline\":\"unused\"}}");
        Map<String, String> config = elasticsearchConfig("unpiped", Map.of("key.ignore", "true", "pipeline", "_none"));
        produce("unpiped", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 20);

        elasticsearch.request("PUT", "/unpiped/_settings", "{\"index.final_pipeline\":\"unused\"}");
        elasticsearch.request("DELETE", "/unpiped/_doc/unpiped+0+3", "");
        Audited audited = audit(config);
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.result().get("unknown").toString()).contains("the ingest pipeline unused may", "drop them");
    }

    /** Nothing tells how many there should be. */
    @Test
    void countsNoneMissingThatMayBeDropped() throws Exception {
        kafka.createTopic("few", PARTITIONS);
        produce("few", 20);
        elasticsearch.request("PUT", "/_ingest/pipeline/all", "{\"processors\":[{\"drop\":{}}]}");
        elasticsearch.request("PUT", "/few", "{\"settings\":{\"index.default_pipeline\":\"all\"}}");
        sql("CREATE TABLE few (doc jsonb)");
        sql("CREATE FUNCTION drop_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$");
        sql("CREATE TRIGGER drop_all BEFORE INSERT ON few FOR EACH ROW EXECUTE FUNCTION drop_all()");
        for (Map<String, String> config : List.of(
                config("few", Map.of("name", "few-rows")),
                elasticsearchConfig("few", Map.of("name", "few-documents", "document.id", "none")))) {
            try (RunningTask task = task(config)) {
                task.catchUp();
            }
            Audited audited = audit(config);
            assertThat(audited.findings()).isEmpty();
            assertThat(audited.status()).isEqualTo(3);
        }
    }

    @Test
    void anAuditThatIsStoppedIsNotClean() throws Exception {
        kafka.createTopic("halted", PARTITIONS);
        sql("CREATE TABLE halted (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config("halted", Map.of("metadata.columns", "partition,offset"));
        produce("halted", 2_000);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 2_000);
        StringWriter out = new StringWriter();
        Thread audit = new Thread(() -> new CommandLine(new Audit())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(
                        folder.resolve("halted.json").toString(),
                        "--bootstrap-servers",
                        kafka.bootstrapServers(),
                        "--json",
                        "--rate",
                        "50"));
        audit.start();
        assertThat(Poll.until(() -> out.toString().contains("\"scope\""), Duration.ofSeconds(30)))
                .isTrue();
        audit.interrupt();
        audit.join();

        assertThat(out.toString().lines().skip(1)).singleElement().satisfies(line -> {
            JsonNode result = new ObjectMapper().readTree(line);
            assertThat(result.get("status").asInt()).isEqualTo(3);
            assertThat(result.get("unknown").toString()).contains("the audit was stopped before its end", ":2000");
        });
    }

    @Test
    void expectsNoRowForEachRecordWhereAKeyMayRepeat() throws Exception {
        kafka.createTopic("repeated", PARTITIONS);
        sql("CREATE TABLE repeated (id text PRIMARY KEY, doc jsonb)");
        Map<String, String> config = config(
                "repeated",
                Map.of(
                        "insert.mode", "insert",
                        "pk.mode", "record_key",
                        "pk.fields", "id",
                        "error.overrides", "23505:ignore"));
        sendAll("repeated", 0, "a", "{\"n\":1}", 0, "a", "{\"n\":1}", 1, "b", "{\"n\":2}");
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertThat(sql("SELECT count(*) FROM repeated")).isEqualTo(2);

        assertThat(audit(config).findings()).isEmpty();
    }

    /** A repair would write what the user has left out. */
    @Test
    void writesNothingOfBeforeTheConnectorsStart() throws Exception {
        kafka.createTopic("begun", PARTITIONS);
        sql("CREATE TABLE begun (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                "begun",
                Map.of("metadata.columns", "partition,offset", "consumer.override.auto.offset.reset", "latest"));
        produce("begun", 20);
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        sql("DELETE FROM begun WHERE __connect_offset < 5");

        assertRefused(config, "auto.offset.reset is latest", "--repair", "--yes");
        assertThat(audit(config).result().get("notes").toString()).contains("older than the connector");
        assertThat(sql("SELECT count(*) FROM begun")).isEqualTo(10);
        assertThat(repair(config, "--since", "2020-01-01").repaired()).isEqualTo(10);
    }

    /** A row may be of another topic, also of one that is not compared. */
    @Test
    void comparesNoRowsThatATransformMayHaveJoined() throws Exception {
        sql("CREATE TABLE joined (doc jsonb, __connect_partition int, __connect_offset bigint)");
        for (String topic : List.of("joined-a", "joined-b")) {
            kafka.createTopic(topic, PARTITIONS);
            produce(topic, 20);
            Map<String, String> each = config(
                    topic,
                    Map.of("name", "joined", "table.name.format", "joined", "metadata.columns", "partition,offset"));
            try (RunningTask task = task(each)) {
                task.catchUp();
            }
        }
        Map<String, String> config = config(
                "joined",
                Map.of(
                        "topics", "joined-a,joined-b",
                        "metadata.columns", "partition,offset",
                        "transforms", "join",
                        "transforms.join.type", "org.apache.kafka.connect.transforms.RegexRouter",
                        "transforms.join.regex", "joined-.*",
                        "transforms.join.replacement", "joined"));

        Audited audited = audit(config, "--topic", "joined-a");

        assertThat(audited.findings()).isEmpty();
        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result().get("notes").toString()).contains("cannot be compared record by record");
    }

    /** The connector may have had another name, and its letters are redriven under that one. */
    @Test
    void writesNoRecordOfAnOpenLetterOfAnotherName() throws Exception {
        Map<String, String> config = lettered("renamed", "before");
        sql("DELETE FROM renamed");

        Audited repaired = repair(config);

        assertThat(repaired.findings()).containsExactly("missing renamed-0@0", "missing renamed-0@1");
        assertThat(repaired.left().get("0@1")).contains("before has a dead letter of it");
        assertThat(repaired.result().get("notes").toString()).contains("before has a dead letter of it");
        assertThat(sql("SELECT count(*) FROM renamed")).isOne();

        redrive(config, "--connector", "before");
        assertThat(sql("SELECT count(*) FROM renamed")).isEqualTo(2);
        assertThat(sql("DELETE FROM renamed WHERE __connect_offset = 1")).isOne();
        assertThat(repair(config).repaired()).isOne();
    }

    /** With another group, or cut off. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLetterThatAnotherRedriveHasReadMayBeWritten(boolean isCutOff) throws Exception {
        String topic = isCutOff ? "cut-off" : "passed";
        Map<String, String> config = lettered(topic, topic);
        sql("DELETE FROM \"" + topic + "\" WHERE __connect_offset = 1");
        assertOpen(audit(config));
        if (isCutOff) {
            commit("tidegate-redrive-" + topic, topic, new OffsetAndMetadata(0, topicId(topic) + " " + topic + " 1"));
        } else {
            redrive(config, "--group", "tidegate-redrive-of-mine");
            assertThat(sql("DELETE FROM " + topic + " WHERE __connect_offset = 1"))
                    .isOne();
        }

        Audited audited = audit(config);

        assertThat(audited.findings()).isEmpty();
        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result().get("refused").asInt()).isZero();
        assertThat(audited.result().get("unknown").toString()).contains("or was cut off at them", ":1}");
    }

    /** It may only archive them. */
    @Test
    void aLetterThatAConnectorHasReadStaysRefused() throws Exception {
        Map<String, String> config = lettered("filed", "filed");
        sql("DELETE FROM filed WHERE __connect_offset = 1");
        commit("connect-archive", "filed", new OffsetAndMetadata(1));
        commit("alarms", "filed", new OffsetAndMetadata(1));

        Audited audited = audit(config);

        assertOpen(audited);
        assertThat(audited.result().get("notes").toString())
                .contains("connect-archive has read letters of filed-dlq")
                .doesNotContain("alarms");
    }

    private static void assertOpen(Audited audited) {
        assertThat(audited.findings()).isEmpty();
        assertThat(audited.status()).isZero();
        assertThat(audited.result().get("refused").asInt()).isOne();
    }

    private void commit(String group, String topic, OffsetAndMetadata committed) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.alterConsumerGroupOffsets(group, Map.of(new TopicPartition(topic + "-dlq", 0), committed))
                    .all()
                    .get();
        }
    }

    private String topicId(String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.describeTopics(List.of(topic + "-dlq"))
                    .allTopicNames()
                    .get()
                    .get(topic + "-dlq")
                    .topicId()
                    .toString();
        }
    }

    /** Two rows, and a letter of the second one by this connector. */
    private Map<String, String> lettered(String topic, String connector) throws Exception {
        kafka.createTopic(topic, PARTITIONS);
        kafka.createTopic(topic + "-dlq", 1);
        sendAll(topic, 0, "a", "1", 0, "b", "2");
        sql("CREATE TABLE \"" + topic + "\" (doc jsonb, __connect_partition int, __connect_offset bigint)");
        Map<String, String> config = config(
                topic,
                Map.of(
                        "metadata.columns", "partition,offset",
                        "errors.tolerance", "all",
                        "errors.deadletterqueue.topic.name", topic + "-dlq"));
        try (RunningTask task = task(config);
                KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            task.catchUp();
            sendLetter(producer, connector, topic, 0, 1);
        }
        return config;
    }

    private void redrive(Map<String, String> config, String... options) {
        List<String> words = new ArrayList<>(List.of(
                config.get("errors.deadletterqueue.topic.name"),
                folder.resolve(config.get("name") + ".json").toString(),
                "--bootstrap-servers",
                kafka.bootstrapServers(),
                "--unsure",
                "write"));
        words.addAll(List.of(options));
        assertThat(new CommandLine(new RedriveCommand())
                        .setOut(new PrintWriter(new StringWriter()))
                        .execute(words.toArray(String[]::new)))
                .isZero();
    }

    @Test
    void refusesTopicsAndPartitionsThatTheConnectorDoesNotHave() throws Exception {
        kafka.createTopic("named", PARTITIONS);
        Map<String, String> config = config("named", Map.of("metadata.columns", "partition,offset"));

        assertRefused(config, "the connector has no topic nameed", "--topic", "named,nameed");
        assertRefused(config, "no topic that is compared has a partition 7", "--partition", "0,7");
    }

    @Test
    void comparesTablesNamedAfterAField() throws Exception {
        kafka.createTopic("sites", PARTITIONS);
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < 600; i++) {
                send(producer, "sites", i % PARTITIONS, "k" + i, "{\"site\":" + i % 7 + ",\"n\":" + i + "}");
            }
        }
        Map<String, String> config = config(
                "sites",
                Map.of(
                        "table.name.format", "site_${field:$.site}",
                        "auto.create", "true",
                        "metadata.columns", "topic,partition,offset"));
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        assertClean(config, 600);
        assertThat(sql("DELETE FROM site_3 WHERE doc->>'n' IN ('3', '10')")).isEqualTo(2);
        assertThat(repair(config).findings()).containsExactly("missing sites-0@5", "missing sites-1@1");
        assertClean(config, 600);
        assertThat(sql("SELECT count(*) FROM site_3")).isEqualTo(86);
    }

    @Test
    void saysWhatItCannotKnow() throws Exception {
        kafka.createTopic("counted", PARTITIONS);
        produce("counted", 100);
        sql("CREATE TABLE counted (doc jsonb)");
        Map<String, String> config = config("counted", Map.of());
        try (RunningTask task = task(config)) {
            task.catchUp();
        }
        Audited audited = audit(config);
        assertThat(audited.status()).isEqualTo(3);
        assertThat(audited.result()
                        .get("unknown")
                        .properties()
                        .iterator()
                        .next()
                        .getValue()
                        .asInt())
                .isEqualTo(100);
        assertThat(audited.result().get("notes").get(0).asText())
                .contains("cannot be compared record by record")
                .contains("It has 100 rows, and 100 records");
        sql("DELETE FROM counted WHERE doc->>'n' = '5'");
        assertThat(audit(config).findings()).containsExactly("missing -@");
    }
}
