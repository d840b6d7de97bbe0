package io.tidegate.connect.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.jsonb.JsonbSinkTask;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.tools.CommandRun;
import io.tidegate.connect.tools.Tidegate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repair in a process of its own that ends in the middle, because somebody kills it or stops it. */
@Timeout(480)
final class RepairKilledIT {
    private static final int RECORDS = 5_000;
    private static final Duration SOON = Duration.ofSeconds(150);

    private static final Kafka BROKER = new KeptBroker();
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        SERVER.start();
        BROKER.start();
    }

    @AfterAll
    static void close() {
        BROKER.close();
        SERVER.close();
    }

    private static String sql(String text) throws SQLException {
        try (Connection connection = SERVER.connect()) {
            return sql(connection, text);
        }
    }

    private static String sql(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(text)) {
                return String.valueOf(statement.getUpdateCount());
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return String.valueOf(row.getString(1));
            }
        }
    }

    private static boolean isHanging(Connection connection) {
        try {
            return !sql(connection, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                    .equals("0");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> config(String topic) {
        return Map.ofEntries(
                Map.entry("name", topic),
                Map.entry("connector.class", "io.tidegate.connect.jsonb.JsonbSinkConnector"),
                Map.entry("topics", topic),
                Map.entry("key.converter", "org.apache.kafka.connect.storage.StringConverter"),
                Map.entry("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"),
                Map.entry("connection.url", SERVER.jdbcUrl()),
                Map.entry("connection.user", SERVER.user()),
                Map.entry("connection.password", SERVER.password()),
                Map.entry("close.timeout.ms", "100"),
                Map.entry("metadata.columns", "partition,offset"));
    }

    private static void write(String topic) throws Exception {
        BROKER.createTopic(topic, 1);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", BROKER.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int n = 0; n < RECORDS; n++) {
                Future<RecordMetadata> unused =
                        producer.send(new ProducerRecord<>(topic, ("{\"n\":" + n + "}").getBytes(UTF_8)));
            }
        }
        try (RunningTask task = new RunningTask(
                BROKER.bootstrapServers(), new JsonbSinkTask(), config(topic), Set.of(new TopicPartition(topic, 0)))) {
            task.catchUp();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theNextRepairEndsIt(boolean isKilled) throws Exception {
        String topic = isKilled ? "killed" : "stopped";
        sql("CREATE TABLE " + topic + " (doc jsonb, __connect_partition int, __connect_offset bigint)");
        write(topic);
        assertThat(sql("DELETE FROM " + topic + " WHERE __connect_offset % 2 = 1"))
                .isEqualTo(String.valueOf(RECORDS / 2));
        sql("INSERT INTO " + topic + " SELECT * FROM " + topic + " WHERE __connect_offset = 0");
        sql("CREATE OR REPLACE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF NEW.doc->>'n' = '2501' THEN PERFORM pg_sleep(600); END IF; RETURN NEW; END $$");
        sql("CREATE TRIGGER hang AFTER INSERT ON " + topic + " FOR EACH ROW EXECUTE FUNCTION hang()");
        Path file = Files.writeString(
                folder.resolve(topic + ".json"), new ObjectMapper().writeValueAsString(config(topic)));
        List<String> repair = List.of(
                "audit",
                file.toString(),
                "--bootstrap-servers",
                BROKER.bootstrapServers(),
                "--json",
                "--repair",
                "--yes",
                "--max",
                String.valueOf(RECORDS));

        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(Jvm.ordinary()
                        .withFastStart()
                        .command(System.getProperty("java.class.path"), List.of(), Tidegate.class.getName(), repair))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try (Connection connection = SERVER.connect()) {
            assertThat(Poll.until(() -> isHanging(connection) || !process.isAlive(), SOON))
                    .isTrue();
        }
        assertThat(process.isAlive()).as(() -> read(output)).isTrue();
        if (isKilled) {
            process.destroyForcibly();
        } else {
            process.destroy(); // SIGTERM goes the same way as Ctrl-C, which a build in the background ignores
        }
        assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        if (!isKilled) {
            assertThat(read(output)).contains("\"type\":\"repair\"").contains("tidegate: stopped");
        }
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
        sql("DROP TRIGGER hang ON " + topic);
        assertThat(Integer.parseInt(sql("SELECT count(*) FROM " + topic)))
                .as("it ended in the middle")
                .isBetween(RECORDS / 2 + 1, RECORDS - 1);

        CommandRun rest = CommandRun.of(repair.toArray(String[]::new));
        assertThat(rest.err()).isEmpty();
        assertThat(sql("SELECT count(*) || ' ' || count(DISTINCT __connect_offset) FROM " + topic))
                .isEqualTo(RECORDS + " " + RECORDS);
        assertThat(CommandRun.of(repair.toArray(String[]::new)).status()).isZero();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
