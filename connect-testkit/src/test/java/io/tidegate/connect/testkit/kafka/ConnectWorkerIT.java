package io.tidegate.connect.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.net.RestException;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConnectWorkerIT {
    private static final String FILE_SINK = "org.apache.kafka.connect.file.FileStreamSinkConnector";
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    private static Path folder;

    private final KafkaBroker broker = KafkaBroker.builder().fastStart().build();
    private ConnectWorker worker;

    @BeforeAll
    void start() {
        broker.start();
        worker = worker("files").environment("FOLDER", folder.toString()).jmx().build();
        worker.start();
    }

    @AfterAll
    void close() {
        worker.close();
        broker.close();
    }

    private ConnectWorker.Builder worker(String group) {
        return ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(Path.of("target", "plugins"))
                .property("offset.flush.interval.ms", "500")
                .groupId(group);
    }

    @AfterEach
    void deleteConnectors() {
        worker.rest().list().forEach(worker.rest()::delete);
    }

    private static Map<String, String> fileSink(String topic, String file) {
        return Map.of(
                "connector.class",
                "FileStreamSink",
                "topics",
                topic,
                "file",
                file,
                "value.converter",
                "org.apache.kafka.connect.storage.StringConverter");
    }

    @Test
    void runsASinkFromItsPluginPathThroughKillAndRestart() throws Exception {
        broker.createTopic("survives", 1);
        Path out = folder.resolve("survives");
        ConnectRest rest = worker.rest();
        assertThat(rest.plugins())
                .extracting(ConnectRest.Plugin::className)
                .contains(FILE_SINK, "org.apache.kafka.connect.json.JsonConverter");

        rest.putConfig("survives", fileSink("survives", "${env:FOLDER}/survives"));
        rest.awaitRunning("survives", 1, SOON);
        send("survives", "one");
        awaitLines(out, "one");
        awaitOffset(rest, "survives", 1);
        assertThat(taskCount(worker)).isEqualTo(1.0);

        worker.kill();
        send("survives", "two");
        worker.start();
        rest.awaitRunning("survives", 1, SOON);
        awaitLines(out, "one", "two");
    }

    @Test
    void stopsAltersResetsAndDeletes() throws Exception {
        broker.createTopic("again", 1);
        Path out = folder.resolve("again");
        ConnectRest rest = worker.rest();
        String json = """
                {"name": "again", "config": {"connector.class": "%s", "topics": "again", "file": "%s",
                 "value.converter": "org.apache.kafka.connect.storage.StringConverter"}}""".formatted(FILE_SINK, out);
        rest.create(json);
        assertThatThrownBy(() -> rest.create(json))
                .isInstanceOfSatisfying(
                        RestException.class, e -> assertThat(e.status()).isEqualTo(409))
                .hasMessageContaining("already exists");
        rest.awaitRunning("again", 1, SOON);
        send("again", "one");
        awaitOffset(rest, "again", 1);

        rest.stop("again");
        awaitState(rest, "again", "STOPPED");
        rest.alterOffsets("again", Map.of(new TopicPartition("again", 0), 0L));
        rest.resume("again");
        awaitLines(out, "one", "one");

        rest.pause("again");
        awaitState(rest, "again", "PAUSED");
        rest.resume("again");
        rest.restart("again", true);
        rest.awaitRunning("again", 1, SOON);
        rest.restartTask("again", 0);
        assertThat(rest.list()).containsExactly("again");
        assertThat(rest.get("again").config()).containsEntry("topics", "again");
        rest.stop("again");
        awaitState(rest, "again", "STOPPED");
        rest.resetOffsets("again");
        assertThat(rest.offsets("again")).isEmpty();
        rest.delete("again");
        assertThat(rest.list()).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithAConfigurationAndATask() {
        broker.createTopic("wrong", 1);
        ConnectRest rest = worker.rest();
        assertThat(rest.validate(FILE_SINK, Map.of("name", "x", "topics", "t", "tasks.max", "0"))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("tasks.max: ");

        rest.putConfig("wrong", fileSink("wrong", "/nowhere/out"));
        assertThatThrownBy(() -> rest.awaitRunning("wrong", 1, SOON))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("Connector wrong has FAILED, task 0: ")
                .hasMessageContaining("/nowhere/out");
    }

    @SuppressWarnings("BanJNDI") // The server is this process, on loopback.
    private static double taskCount(ConnectWorker worker) throws Exception {
        try (JMXConnector jmx = JMXConnectorFactory.connect(worker.jmxUrl())) {
            Object count = jmx.getMBeanServerConnection()
                    .getAttribute(new ObjectName("kafka.connect:type=connect-worker-metrics"), "task-count");
            return ((Number) count).doubleValue();
        }
    }

    private static void awaitState(ConnectRest rest, String connector, String state) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> rest.status(connector).state().equals(state)
                        && (!state.equals("STOPPED")
                                || rest.status(connector).tasks().isEmpty()));
    }

    private static void awaitOffset(ConnectRest rest, String topic, long offset) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> rest.offsets(topic), Map.of(new TopicPartition(topic, 0), offset)::equals);
    }

    private static void awaitLines(Path file, String... lines) {
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(Files.readAllLines(file))
                .containsExactly(lines));
    }

    private void send(String topic, String value) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, "k", value)).get();
        }
    }
}
