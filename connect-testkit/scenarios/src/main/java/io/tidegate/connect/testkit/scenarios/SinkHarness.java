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
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/**
 * Starts a broker, a worker and a store once for all tests of a class. Each test has a separate topic, destination and
 * connector.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SinkHarness {
    /** The time limit of every wait, long enough for a busy machine. */
    protected static final Duration SOON = Duration.ofMinutes(5);

    /** The worker's log line for a server that cannot be written to. */
    protected static final String OUTAGE = "cannot be written to; trying again until it can";

    static final int PARTITIONS = 4;
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private final Servers servers;
    private final Kafka broker;
    private Optional<Connect> startedWorker = Optional.empty();
    private Optional<Records> startedRecords = Optional.empty();
    private String topic = "";
    private int tests;

    /** Uses child processes, whatever kind of servers was chosen. */
    protected SinkHarness() {
        this(Servers.embedded());
    }

    /** Uses these servers; the store must be one of them. */
    SinkHarness(Servers servers) {
        this.servers = servers;
        broker = servers.kafka();
    }

    /** The servers that broker and worker come from. */
    protected final Servers servers() {
        return servers;
    }

    /** The store, the same at each call. */
    protected abstract Store store();

    /** Starts the store. Called once, before all tests. */
    protected void startStore() {
        store().server().start();
    }

    /** Closes the store. Called once, after all tests, even if the start failed. */
    protected void closeStore() {
        store().server().close();
    }

    /** The folder that contains the sink's plugin folder: the one that the build of the module makes. */
    protected Path pluginPath() {
        return Path.of("target", "plugin");
    }

    @BeforeAll
    final void startServers() {
        servers.obstacle().ifPresent(obstacle -> Skip.loudly(getClass(), obstacle));
        Awaitility.setDefaultPollInterval(Duration.ofMillis(250)); // most polls ask the server
        broker.start();
        startStore();
        startedRecords = Optional.of(new Records(broker.bootstrapServers()));
        startWorker(pluginPath());
    }

    /** Starts a worker with the plugins in a folder. An earlier worker must be closed; its group is the same. */
    final void startWorker(Path plugins) {
        Connect worker =
                servers.connect(broker, new Servers.WorkerOrder(plugins, workerProperties(), store().environment()));
        startedWorker = Optional.of(worker);
        worker.start();
    }

    /** Worker properties that override the testkit's own. */
    protected Map<String, String> workerProperties() {
        return Map.of("offset.flush.interval.ms", "1000");
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

    /** The topic of the test, which is also the name of its connector. */
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

    /** These settings, and those with which refused records go to the topic {@link #deadLetters}. */
    protected final Map<String, String> withDeadLetters(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("errors.tolerance", "all");
        all.put("errors.deadletterqueue.topic.name", deadLetters());
        all.put("errors.deadletterqueue.topic.replication.factor", "1");
        all.put("errors.deadletterqueue.context.headers.enable", "true");
        return all;
    }

    protected final String deadLetters() {
        return topic + "-dlq";
    }

    /** Creates the test's connector with a converter for JSON bytes and waits until its tasks run. */
    protected final void startSink(int tasks, Map<String, String> settings) {
        startSink(topic, tasks, settings);
    }

    /** Like {@link #startSink(int, Map)}, but for another topic. */
    protected final void startSink(String name, int tasks, Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(store().sinkConfig());
        config.put("topics", name);
        config.put("tasks.max", Integer.toString(tasks));
        config.put("key.converter", BYTES);
        config.put("value.converter", BYTES);
        config.putAll(settings);
        rest().putConfig(name, config);
        rest().awaitRunning(name, tasks, SOON);
    }

    private ConditionFactory awaitWithoutFailure() {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(400))
                .ignoreExceptions()
                .failFast("a task failed", this::assertNoTaskHasFailed);
    }

    /** Waits until exactly the records with these numbers are stored, each once. */
    protected final void awaitStored(long first, long end) {
        List<Long> expected = LongStream.range(first, end).boxed().toList();
        awaitWithoutFailure()
                .untilAsserted(() -> assertThat(store().count(topic)).isEqualTo(expected.size()));
        assertThat(store().numbers(topic)).isEqualTo(expected);
    }

    /** Like {@link #awaitStored}, but other records may be stored before that. */
    protected final void awaitLastStored(long first, long end) {
        List<Long> expected = LongStream.range(first, end).boxed().toList();
        awaitWithoutFailure()
                .untilAsserted(() -> assertThat(store().numbers(topic)).isEqualTo(expected));
    }

    /** Waits until a record is stored. */
    protected final void awaitFirstStored() {
        awaitWithoutFailure().pollInterval(Duration.ofMillis(100)).until(() -> store().count(topic) > 0);
    }

    /** The present length of the worker's log, for {@link #awaitLogged}. */
    protected final long logMark() {
        return worker().log().toFile().length();
    }

    /** Waits until the worker's log contains the text after the mark. */
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

    /** Tasks may be starting and their worker may be down, but no task may have failed. */
    private void assertNoTaskHasFailed() {
        if (worker().isRunning()) {
            assertThat(rest().status(topic).tasks())
                    .allSatisfy(task -> assertThat(task.trace()).isEmpty());
        }
    }

    protected final void awaitCommitted(long records) {
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
