package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.awaitility.Awaitility;

/** Kafka, PostgreSQL and some distributed workers of one group with the sink, started together and closed together. */
final class SinkCluster implements AutoCloseable {
    /** How long anything may take on a busy machine. */
    static final Duration SOON = Duration.ofMinutes(5);

    static final String OFFSETS_TABLE = "CREATE TABLE tidegate_offsets (connector text, topic text, partition integer,"
            + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))";

    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private final Kafka broker = new KeptBroker();
    private final PostgresServer server;
    private final PostgresStore store;
    private final String heap;
    private final Duration commitInterval;
    private final List<ConnectWorker> workers = new ArrayList<>();

    /** Of workers with a heap of 256 MB. */
    SinkCluster(PostgresServer server) {
        this(server, "256m");
    }

    SinkCluster(PostgresServer server, String heap) {
        this(server, heap, Duration.ofSeconds(1));
    }

    /** Of workers that commit offsets so often. Connect's default is a minute. */
    SinkCluster(PostgresServer server, String heap, Duration commitInterval) {
        this.server = server;
        this.heap = heap;
        this.commitInterval = commitInterval;
        this.store = new PostgresStore(server);
    }

    /** Starts everything, and a table for exactly-once's offsets. */
    SinkCluster start(int workerCount) {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(250)); // most polls cost a login, or read a whole table
        server.start();
        broker.start();
        store.execute(OFFSETS_TABLE);
        for (int i = 0; i < workerCount; i++) {
            addWorker();
        }
        return this;
    }

    /** One more worker, not started yet. */
    ConnectWorker newWorker() {
        ConnectWorker worker = ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(broker.bootstrapServers())
                .pluginPath(Path.of("target", "plugin"))
                .groupId("cluster")
                .heap(heap)
                .property("offset.flush.interval.ms", Long.toString(commitInterval.toMillis()))
                .environment("POSTGRES_PASSWORD", server.password())
                .build();
        workers.add(worker);
        return worker;
    }

    private void addWorker() {
        newWorker().start();
    }

    Kafka broker() {
        return broker;
    }

    PostgresServer server() {
        return server;
    }

    PostgresStore store() {
        return store;
    }

    ConnectWorker worker(int number) {
        return workers.get(number);
    }

    ConnectRest rest() {
        return workers.get(0).rest();
    }

    Records newRecords() {
        return new Records(broker.bootstrapServers());
    }

    /** A topic and a table of the same name, without any key. */
    void create(String topic, int partitions) {
        create(List.of(topic), partitions);
    }

    /** The same for each of these names. */
    void create(List<String> topics, int partitions) {
        broker.createTopics(topics, partitions);
        String tables = topics.stream()
                .map(topic -> "CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL)")
                .collect(Collectors.joining("; "));
        store.execute(tables);
    }

    /** A connector named after its topic; returns when its tasks run. */
    void startSink(String topic, int tasks, Map<String, String> settings) {
        putConfig(topic, topic, tasks, settings);
        rest().awaitRunning(topic, tasks, SOON);
    }

    /** Waits until each of so many tasks has a partition: tasks join the connector's group one after the other. */
    void awaitPartitions(String connector, int tasks) {
        String group = "connect-" + connector;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            await().atMost(SOON).ignoreExceptions().until(() -> {
                Collection<MemberDescription> members = admin.describeConsumerGroups(List.of(group))
                        .describedGroups()
                        .get(group)
                        .get()
                        .members();
                return members.size() == tasks
                        && members.stream()
                                .noneMatch(member ->
                                        member.assignment().topicPartitions().isEmpty());
            });
        }
    }

    void putConfig(String name, String topic, int tasks, Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                JsonbSinkConnector.class.getName(),
                "topics",
                topic,
                "tasks.max",
                Integer.toString(tasks),
                "key.converter",
                BYTES,
                "value.converter",
                BYTES,
                "connection.url",
                server.jdbcUrl(),
                "connection.user",
                server.user(),
                "connection.password",
                "${env:POSTGRES_PASSWORD}"));
        config.putAll(settings);
        config.values().removeIf(String::isEmpty);
        rest().putConfig(name, config);
    }

    /** Exactly so many rows, none twice. */
    void awaitRows(String topic, long rows) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(400))
                .ignoreExceptions()
                .until(() -> hasDistinct(topic, rows));
        assertThat(rows(topic)).isEqualTo(rows);
    }

    long rows(String topic) {
        return store.count(topic);
    }

    /** Whether so many records are stored, however often. */
    boolean hasDistinct(String topic, long records) {
        return store.hasDistinct(topic, records);
    }

    void assertNoTaskFailed(String connector, int tasks) {
        assertThat(rest().awaitRunning(connector, tasks, SOON).tasks())
                .allSatisfy(task -> assertThat(task.trace()).isEmpty());
    }

    void awaitSessions(int sessions) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.sinkSessions()).isEqualTo(sessions));
    }

    static String logOf(ConnectWorker worker) {
        try {
            return new String(Files.readAllBytes(worker.log()), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        workers.forEach(ConnectWorker::close);
        workers.clear(); // it may be started again, for a second run of a test
        broker.close();
        server.close();
    }
}
