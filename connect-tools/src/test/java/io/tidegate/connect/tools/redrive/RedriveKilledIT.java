package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.tools.CommandRun;
import io.tidegate.connect.tools.Tidegate;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs of {@code tidegate redrive} in processes of their own that end at any step, by {@code kill -9} or SIGTERM, with
 * 16,000 letters of four connectors in one queue. {@code -Dtidegate.redrive.kills=50} ends more of them.
 */
@Timeout(600)
final class RedriveKilledIT {
    private static final int KILLS = Integer.getInteger("tidegate.redrive.kills", 5);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String QUEUE = "shared-dlq";
    private static final int PARTITIONS = 2;
    private static final int CONNECTORS = 4;
    private static final int LETTERS = 4_000; // of each connector
    private static final int EACH_REFUSED = 50; // the server refuses one of so many again

    private static final Kafka BROKER = new KeptBroker();
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();

    @TempDir
    private Path folder;

    private long seed;
    private Random dice;

    @BeforeAll
    static void start() throws Exception {
        SERVER.start();
        BROKER.start();
        BROKER.createTopic(QUEUE, PARTITIONS);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers(), "linger.ms", 20),
                new StringSerializer(),
                new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int n = 0; n < LETTERS; n++) {
                for (int connector = 0; connector < CONNECTORS; connector++) {
                    sent.add(producer.send(letter("tide" + connector, n)));
                }
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
    }

    @AfterAll
    static void close() {
        BROKER.close();
        SERVER.close();
    }

    @BeforeEach
    void draw() {
        seed = Long.getLong("tidegate.redrive.seed", ThreadLocalRandom.current().nextLong());
        dice = new Random(seed);
    }

    private static ProducerRecord<String, String> letter(String connector, int n) {
        ProducerRecord<String, String> letter = new ProducerRecord<>(
                QUEUE, n % PARTITIONS, "k" + n, "{\"n\":" + n + ",\"level\":" + (n % EACH_REFUSED == 0 ? -1 : 1) + "}");
        Map<String, String> headers = Map.of(
                "topic",
                connector,
                "partition",
                String.valueOf(n % PARTITIONS),
                "offset",
                String.valueOf(n / PARTITIONS),
                "connector.name",
                connector,
                "stage",
                "TASK_PUT",
                "exception.message",
                "refused {\"kind\":\"constraint\"}");
        headers.forEach((name, text) -> letter.headers().add("__connect.errors." + name, text.getBytes(UTF_8)));
        return letter;
    }

    private static String sql(String text) throws SQLException {
        try (Connection connection = SERVER.connect()) {
            return sql(connection, text);
        }
    }

    private static String sql(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(text)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return String.valueOf(row.getString(1));
            }
        }
    }

    private static long rows(String table) throws SQLException {
        try (Connection connection = SERVER.connect()) {
            return rows(connection, table);
        }
    }

    private static long rows(Connection connection, String table) {
        try {
            return Long.parseLong(sql(connection, "SELECT count(*) FROM " + table));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> arguments(String table, Map<String, String> settings, String... more) throws Exception {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector",
                "topics", table,
                "key.converter", "org.apache.kafka.connect.storage.StringConverter",
                "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                "connection.url", SERVER.jdbcUrl(),
                "connection.user", SERVER.user(),
                "connection.password", SERVER.password(),
                "metadata.columns", "topic,partition,offset",
                "close.timeout.ms", "100"));
        config.putAll(settings);
        Path file = Files.writeString(
                folder.resolve(table + ".json"), JSON.writeValueAsString(Map.of("name", table, "config", config)));
        List<String> arguments = new ArrayList<>(
                List.of("redrive", QUEUE, file.toString(), "--bootstrap-servers", BROKER.bootstrapServers(), "--json"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** A run that ends somewhere, at the latest when it is done. */
    private void runAndKill(String table, List<String> arguments) throws Exception {
        runAndKill(table, arguments, Duration.ofSeconds(dice.nextInt(10)));
    }

    /**
     * The same.
     *
     * @param longest time from its start; on a busy machine that takes seconds
     */
    private void runAndKill(String table, List<String> arguments, Duration longest) throws Exception {
        Process process = new ProcessBuilder(Jvm.ordinary()
                        .withFastStart()
                        .command(System.getProperty("java.class.path"), List.of(), Tidegate.class.getName(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("run.log").toFile())
                .start();
        try (Connection connection = SERVER.connect()) {
            long enough = rows(connection, table) + dice.nextInt(2 * LETTERS / KILLS);
            boolean unused = Poll.until(() -> !process.isAlive() || rows(connection, table) > enough, longest);
        }
        LockSupport.parkNanos(dice.nextInt(50_000_000)); // any step of a part
        if (dice.nextBoolean()) {
            process.destroyForcibly();
        } else {
            process.destroy(); // SIGTERM goes the same way as Ctrl-C, which a build in the background ignores
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        forgetMember(RedriveCommand.GROUP_PREFIX + table);
    }

    /** The next run would wait until Kafka notices that a killed member is gone. */
    private static void forgetMember(String group) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers()))) {
            boolean isMember = !admin.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group)
                    .get()
                    .members()
                    .isEmpty();
            if (isMember) {
                admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
            }
        } catch (ExecutionException e) {
            assertThat(e).as("it has not joined").hasRootCauseInstanceOf(GroupIdNotFoundException.class);
        }
    }

    private JsonNode runToTheEnd(List<String> arguments) throws Exception {
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(run.err()).as("seed %s", seed).isEmpty();
        return JSON.readTree(run.out());
    }

    /** How often each place of the connector's topic is among the letters that are parked. */
    private static Map<String, Integer> parked(String connector) {
        Map<String, Integer> places = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(QUEUE + RedriveCommand.PARKED).stream()
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(each -> {
                    if (first(each.headers(), "connector.name").equals(connector)) {
                        places.merge(
                                first(each.headers(), "partition") + "@" + first(each.headers(), "offset"),
                                1,
                                Integer::sum);
                    }
                });
            }
        }
        return places;
    }

    private static String first(Headers headers, String name) {
        return new String(
                headers.headers("__connect.errors." + name).iterator().next().value(), UTF_8);
    }

    @Test
    void eachLetterIsWrittenOrParkedOnceWhereverRunsEnd() throws Exception {
        sql("CREATE TABLE tide3 (doc jsonb CHECK ((doc->>'level')::int > 0), __connect_topic text,"
                + " __connect_partition int, __connect_offset bigint,"
                + " PRIMARY KEY (__connect_topic, __connect_partition, __connect_offset))");
        List<String> arguments = arguments("tide3", Map.of("pk.mode", "kafka", "insert.mode", "ignore"));
        for (int i = 0; i < KILLS; i++) {
            runAndKill("tide3", arguments);
        }
        runToTheEnd(arguments);
        assertThat(rows("tide3")).as("seed %s", seed).isEqualTo(LETTERS - LETTERS / EACH_REFUSED);
        Map<String, Integer> parked = parked("tide3");
        assertThat(parked).as("seed %s", seed).hasSize(LETTERS / EACH_REFUSED);
        assertThat(parked.values()).as("seed %s", seed).containsOnly(1);
        assertThat(runToTheEnd(arguments).path("letters").asInt()).isZero();
    }

    @Test
    void withoutAKeyNothingIsDoubledAndOnlyLettersInDoubtAreSkipped() throws Exception {
        sql("CREATE TABLE tide1 (doc jsonb CHECK ((doc->>'level')::int > 0), __connect_topic text,"
                + " __connect_partition int, __connect_offset bigint)");
        List<String> arguments = arguments("tide1", Map.of(), "--unsure", "skip");
        // The first run has no offsets, so all letters are in doubt: the user knows that it is the first.
        while (rows("tide1") == 0) {
            runAndKill("tide1", arguments("tide1", Map.of(), "--unsure", "write"), Duration.ofMinutes(2));
        }
        long skipped = 0;
        for (int i = 1; i < KILLS; i++) {
            skipped += unsure(arguments("tide1", Map.of(), "--dry-run"));
            runAndKill("tide1", arguments);
        }
        skipped += unsure(arguments("tide1", Map.of(), "--dry-run"));
        runToTheEnd(arguments);
        assertThat(sql("SELECT count(*) - count(DISTINCT (__connect_partition, __connect_offset)) FROM tide1"))
                .as("seed %s", seed)
                .isEqualTo("0");
        long stored = rows("tide1") + parked("tide1").size();
        assertThat(LETTERS - stored).as("seed %s", seed).isBetween(0L, skipped);
        assertThat(parked("tide1").values()).as("seed %s", seed).containsOnly(1);
    }

    private long unsure(List<String> arguments) throws Exception {
        return runToTheEnd(arguments).path("unsure").asLong();
    }
}
