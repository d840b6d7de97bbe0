package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.testkit.scenarios.SinkHarness;
import io.tidegate.connect.testkit.scenarios.Store;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Kafka 4 brought: consumers whose partitions the broker assigns (KIP-848), and several versions of a plugin in one
 * {@code plugin.path} (KIP-891).
 */
@DisabledIfSystemProperty(named = "testkit.kafka", matches = "3.*", disabledReason = "Kafka 3.9 has neither")
final class NewConnectIT extends SinkHarness {
    private static final String OTHER_VERSION = "0.0.1";

    @TempDir
    static Path plugins;

    private final PostgresStore store = new PostgresStore(servers().postgres());

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected Map<String, String> workerProperties() {
        Map<String, String> properties = new HashMap<>(super.workerProperties());
        properties.put("consumer.group.protocol", "consumer");
        return properties;
    }

    /** The plugin, and the same with another version. */
    @Override
    protected Path pluginPath() {
        Path plugin = Path.of("target", "plugin", "connect-jsonb-sink");
        try (Stream<Path> jars = Files.list(plugin)) {
            Path other = Files.createDirectory(plugins.resolve("other"));
            Path same = Files.createDirectory(plugins.resolve("this"));
            for (Path jar : jars.toList()) {
                Files.copy(jar, same.resolve(jar.getFileName()));
                Path copy = Files.copy(jar, other.resolve(jar.getFileName()));
                if (jar.getFileName().toString().startsWith("connect-jsonb-sink-")) {
                    setVersion(copy);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return plugins;
    }

    private static void setVersion(Path jar) throws IOException {
        try (FileSystem inside = FileSystems.newFileSystem(jar)) {
            Files.writeString(
                    inside.getPath("/io/tidegate/connect/jsonb/version.properties"), "version=" + OTHER_VERSION);
        }
    }

    @Test
    @Tag("smoke")
    void partitionsMoveBetweenConsumersOfTheNewProtocolWithoutALoss() throws Exception {
        records().send(topic(), 0, 5_000);
        startSink(1, Map.of());
        awaitFirstStored();
        startSink(3, Map.of());
        records().send(topic(), 5_000, 10_000);
        awaitStored(0, 10_000);
        startSink(2, Map.of());
        records().send(topic(), 10_000, 15_000);

        awaitStored(0, 15_000);
        awaitCommitted(15_000);
        assertNoTaskFailed();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker().bootstrapServers()))) {
            String group = "connect-" + topic();
            assertThat(admin.describeConsumerGroups(List.of(group))
                            .describedGroups()
                            .get(group)
                            .get()
                            .type())
                    .isEqualTo(GroupType.CONSUMER);
        }
    }

    /**
     * A fault of Connect, which concerns every sink: a task that has nothing to commit fails when the broker takes a partition from it.
     * When Connect no longer does so, this test fails, and the warning in the page about upgrades can go.
     */
    @Test
    void connectFailsAnIdleTaskThatLosesAPartition() {
        startSink(1, Map.of());
        records().send(topic(), 0, 100);
        awaitStored(0, 100);
        awaitCommitted(100);

        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                broker().bootstrapServers(),
                "group.id",
                "connect-" + topic(),
                "group.protocol",
                "consumer");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (Consumer<byte[], byte[]> other = new KafkaConsumer<>(properties, bytes, bytes)) {
            other.subscribe(List.of(topic()));
            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
                other.poll(Duration.ofMillis(200));
                assertThat(rest().status(topic()).tasks().get(0).trace()).hasValueSatisfying(trace -> assertThat(trace)
                        .startsWith("java.lang.UnsupportedOperationException")
                        .contains("SinkTaskMetricsGroup.clearOffsets")
                        .doesNotContain("io.tidegate"));
            });
        }
    }

    @Test
    @Tag("smoke")
    void aConnectorRunsTheVersionThatItAsksFor() throws Exception {
        startSink(1, Map.of("connector.plugin.version", "[" + OTHER_VERSION + "]"));
        records().send(topic(), 0, 100);
        awaitStored(0, 100);
        await().atMost(SOON).untilAsserted(() -> assertThat(version()).isEqualTo(OTHER_VERSION));

        startSink(1, Map.of("connector.plugin.version", "(" + OTHER_VERSION + ",)"));
        records().send(topic(), 100, 200);
        awaitStored(0, 200);
        await().atMost(SOON).untilAsserted(() -> assertThat(version()).isNotEqualTo(OTHER_VERSION));
    }

    /** The version of the connector and its task. */
    private String version() throws IOException {
        URI address = worker().restUri().resolve("/connectors/" + topic() + "/status");
        JsonNode status;
        try (InputStream answer = address.toURL().openStream()) {
            status = new ObjectMapper().readTree(answer);
        }
        assertThat(status.at("/tasks/0/version")).isEqualTo(status.at("/connector/version"));
        return status.at("/connector/version").asText();
    }
}
