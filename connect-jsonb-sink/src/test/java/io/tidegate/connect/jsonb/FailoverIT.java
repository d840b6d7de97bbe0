package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.ConnectRest;
import io.tidegate.connect.testkit.ConnectWorker;
import io.tidegate.connect.testkit.KafkaBroker;
import io.tidegate.connect.testkit.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A primary with a synchronous standby; the primary dies or hangs under load and the standby takes over. The URL names the
 * standby first: the sink has to find the primary, whatever the order.
 */
final class FailoverIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String TOPIC = "failover";

    @Test
    void followsThePrimaryWhenTheOldOneIsKilled() {
        failOver(PostgresServer::kill);
    }

    @Test
    void followsThePrimaryWhenTheOldOneHangs() {
        failOver(PostgresServer::pause);
    }

    private static void failOver(Consumer<PostgresServer> fault) {
        try (KafkaBroker broker = KafkaBroker.builder().fastStart().build();
                PostgresServer primary = PostgresServer.builder().fastStart().build()) {
            broker.start();
            broker.createTopic(TOPIC, 2);
            primary.start();
            createTables(new PostgresStore(primary));
            try (PostgresServer standby = primary.standby();
                    ConnectWorker worker = worker(broker, primary)) {
                standby.start();
                primary.replicateSynchronously(standby);
                worker.start();
                failOver(broker, worker.rest(), primary, standby, fault);
            }
        }
    }

    private static void createTables(PostgresStore store) {
        store.execute("CREATE TABLE " + TOPIC + " (doc jsonb NOT NULL)");
        store.execute(
                "CREATE TABLE tidegate_offsets (connector text, topic text, partition integer,"
                        + " next_offset bigint NOT NULL, generation bigint NOT NULL, PRIMARY KEY (connector, topic, partition))");
    }

    private static ConnectWorker worker(KafkaBroker broker, PostgresServer primary) {
        return ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(Path.of("target", "plugin"))
                .groupId(TOPIC)
                .environment("POSTGRES_PASSWORD", primary.password())
                .build();
    }

    private static void failOver(
            KafkaBroker broker,
            ConnectRest rest,
            PostgresServer primary,
            PostgresServer standby,
            Consumer<PostgresServer> fault) {
        rest.putConfig(TOPIC, config(primary, standby));
        rest.awaitRunning(TOPIC, 2, SOON);
        try (Records records = new Records(broker.bootstrapServers())) {
            records.send(TOPIC, 0, 5_000);
            awaitRows(primary, 5_000);

            fault.accept(primary);
            records.send(TOPIC, 5_000, 10_000);
            standby.promote();
            standby.replicateAsynchronously();
            records.send(TOPIC, 10_000, 15_000);

            awaitRows(standby, 15_000);
        }
        assertThat(rest.status(TOPIC).tasks())
                .hasSize(2)
                .allSatisfy(task -> assertThat(task.trace()).isEmpty())
                .allSatisfy(task -> assertThat(task.state()).isEqualTo("RUNNING"));
    }

    private static Map<String, String> config(PostgresServer primary, PostgresServer standby) {
        String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
        return Map.ofEntries(
                Map.entry("connector.class", JsonbSinkConnector.class.getName()),
                Map.entry("topics", TOPIC),
                Map.entry("tasks.max", "2"),
                Map.entry("key.converter", bytes),
                Map.entry("value.converter", bytes),
                Map.entry(
                        "connection.url",
                        "jdbc:postgresql://" + standby.host() + ":" + standby.port() + "," + primary.host() + ":"
                                + primary.port() + "/" + primary.database()),
                Map.entry("connection.user", primary.user()),
                Map.entry("connection.password", "${env:POSTGRES_PASSWORD}"),
                Map.entry("connection.timeout.ms", "1000"),
                Map.entry("connection.pool.wait.ms", "3000"),
                Map.entry("socket.timeout.ms", "1000"),
                Map.entry("retry.backoff.max.ms", "500"),
                Map.entry("delivery.guarantee", "exactly_once"));
    }

    /** Exactly so many rows, none twice. */
    private static void awaitRows(PostgresServer server, int rows) {
        PostgresStore store = new PostgresStore(server);
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> assertThat(
                        store.column("SELECT count(DISTINCT doc->>'n') FROM " + TOPIC))
                .containsExactly(Integer.toString(rows)));
        assertThat(store.column("SELECT count(*) FROM " + TOPIC)).containsExactly(Integer.toString(rows));
    }
}
