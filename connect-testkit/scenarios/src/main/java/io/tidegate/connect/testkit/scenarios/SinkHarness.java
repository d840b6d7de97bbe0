package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.kafka.Connect;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import io.tidegate.connect.testkit.kafka.Kafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/**
 * A broker, a worker and a store, started once for all tests of a class, and for each test a topic, a destination and a
 * connector of their own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SinkHarness {
    /** How long anything may take on a busy machine. */
    protected static final Duration SOON = Duration.ofMinutes(2);

    /** What the worker's log says when a server cannot be written to. */
    protected static final String OUTAGE = "cannot be written to; trying again until it can";

    static final int PARTITIONS = 4;
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private final Servers servers;
    private final Kafka broker;
    private Optional<Connect> startedWorker = Optional.empty();
    private Optional<Records> startedRecords = Optional.empty();
    private String topic = "";
    private int tests;

    /** On child processes, whatever was chosen. */
    protected SinkHarness() {
        this(Servers.embedded());
    }

    /** On these servers: the store has to be one of them. */
    SinkHarness(Servers servers) {
        this.servers = servers;
        broker = servers.kafka();
    }

    /** Where broker and worker come from. */
    protected final Servers servers() {
        return servers;
    }

    /** The store, started by the time this is called and closed by {@link #closeStore}. */
    protected abstract Store store();

    /** Starts the store; called once, before all tests. */
    protected abstract void startStore();

    /** Closes the store; called once, after all tests, even when the start failed. */
    protected abstract void closeStore();

    /** The folder that holds the sink's plugin folder. */
    protected abstract Path pluginPath();

    @BeforeAll
    final void startServers() {
        servers.obstacle().ifPresent(obstacle -> Skip.loudly(getClass(), obstacle));
        broker.start();
        startStore();
        startedRecords = Optional.of(new Records(broker.bootstrapServers()));
        Connect worker = servers.connect(
                broker,
                new Servers.WorkerOrder(
                        pluginPath(), Map.of("offset.flush.interval.ms", "1000"), store().environment()));
        startedWorker = Optional.of(worker);
        worker.start();
    }

    @AfterAll
    final void closeServers() {
        startedRecords.ifPresent(Records::close);
        startedWorker.ifPresent(Connect::close);
        closeStore();
        broker.close();
        servers.close();
    }

    @BeforeEach
    final void createTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT) + "-" + ++tests;
        broker.createTopic(topic, PARTITIONS);
        store().create(topic);
    }

    @AfterEach
    final void deleteConnector() {
        if (rest().list().contains(topic)) {
            rest().delete(topic);
        }
    }

    /** Also the name of the test's connector. */
    protected final String topic() {
        return topic;
    }

    protected final Kafka broker() {
        return broker;
    }

    protected final Connect worker() {
        return startedWorker.orElseThrow();
    }

    protected final ConnectRest rest() {
        return worker().rest();
    }

    protected final Records records() {
        return startedRecords.orElseThrow();
    }

    /** Creates the test's connector for JSON bytes and waits until its tasks run. */
    protected final void startSink(int tasks, Map<String, String> settings) {
        startSink(topic, tasks, settings);
    }

    /** As {@link #startSink(int, Map)}, for another topic. */
    final void startSink(String name, int tasks, Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(store().sinkConfig());
        config.put("topics", name);
        config.put("tasks.max", Integer.toString(tasks));
        config.put("key.converter", BYTES);
        config.put("value.converter", BYTES);
        config.putAll(settings);
        rest().putConfig(name, config);
        rest().awaitRunning(name, tasks, SOON);
    }

    /** Waits until exactly the records with these numbers are stored, each once. */
    protected final void awaitStored(long first, long end) {
        List<Long> expected = LongStream.range(first, end).boxed().toList();
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .failFast("a task failed", this::assertNoTaskHasFailed)
                .untilAsserted(() -> assertThat(store().numbers(topic)).hasSameSizeAs(expected));
        assertThat(store().numbers(topic)).isEqualTo(expected);
    }

    /** Waits until the records with these numbers are stored and no others, after others perhaps. */
    protected final void awaitLastStored(long first, long end) {
        List<Long> expected = LongStream.range(first, end).boxed().toList();
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .failFast("a task failed", this::assertNoTaskHasFailed)
                .untilAsserted(() -> assertThat(store().numbers(topic)).isEqualTo(expected));
    }

    /** Waits until something is stored. */
    protected final void awaitFirstStored() {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptions()
                .failFast("a task failed", this::assertNoTaskHasFailed)
                .until(() -> !store().numbers(topic).isEmpty());
    }

    /** The length of the worker's log, to be given to {@link #awaitLogged} later. */
    protected final long logMark() {
        return worker().log().toFile().length();
    }

    /** Waits until the worker's log says this after the mark. */
    protected final void awaitLogged(long mark, String text) {
        await().atMost(SOON).until(() -> {
            byte[] log = Files.readAllBytes(worker().log());
            return new String(log, (int) mark, log.length - (int) mark, StandardCharsets.UTF_8).contains(text);
        });
    }

    protected final void assertNoTaskFailed() {
        assertThat(rest().status(topic).tasks())
                .isNotEmpty()
                .allSatisfy(task -> assertThat(task.trace()).isEmpty())
                .extracting(TaskStatus::state)
                .containsOnly("RUNNING");
    }

    /** Tasks may be starting, or their worker gone; but none may have given up. */
    private void assertNoTaskHasFailed() {
        if (worker().isRunning()) {
            assertThat(rest().status(topic).tasks())
                    .allSatisfy(task -> assertThat(task.trace()).isEmpty());
        }
    }

    final void awaitCommitted(long records) {
        await().atMost(SOON).until(() -> committed() == records);
    }

    private long committed() {
        return rest().offsets(topic).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    final void stopSink() {
        rest().stop(topic);
        await().atMost(SOON).until(() -> {
            ConnectRest.ConnectorStatus status = rest().status(topic);
            return status.state().equals("STOPPED") && status.tasks().isEmpty();
        });
    }
}
