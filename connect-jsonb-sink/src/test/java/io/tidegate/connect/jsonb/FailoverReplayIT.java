package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standby that lags is promoted under load, with rows that are written at least once. */
final class FailoverReplayIT {
    private static final int RECORDS = 20_000;
    private static final int RATE = 4_000;
    private static final int CUT_OFF_AFTER = RECORDS / 4;
    private static final int TASKS = 3;
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final SinkCluster CLUSTER = new SinkCluster(newServer());

    private static PostgresServer newServer() {
        return PostgresServer.builder().fastStart().build();
    }

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() throws Exception {
        CLUSTER.close();
    }

    @AfterEach
    void delete() {
        CLUSTER.rest().list().forEach(CLUSTER.rest()::delete);
    }

    @ParameterizedTest
    @ValueSource(strings = {"upsert", "ignore"})
    void writesAgainWhatTheStandbyLacked(String mode) throws Exception {
        String topic = "replayed-" + mode;

        PostgresStore.Rows rows = failOver(topic, mode, Duration.ofMinutes(1));

        assertThat(rows.distinct()).isEqualTo(RECORDS);
        assertThat(rows.all()).isEqualTo(RECORDS);
        assertThat(SinkCluster.logOf(CLUSTER.worker(0)))
                .contains("has changed: records of the 60000 ms before that are delivered and written again");
    }

    /** So the other test shows something. */
    @ParameterizedTest
    @ValueSource(strings = "upsert")
    void losesWhatTheStandbyLackedWithoutTheSetting(String mode) throws Exception {
        PostgresStore.Rows rows = failOver("not-replayed-" + mode, mode, Duration.ZERO);

        assertThat(rows.distinct()).isLessThan(RECORDS);
    }

    /** The new primary's rows when all records are committed. */
    private static PostgresStore.Rows failOver(String topic, String mode, Duration replay) throws Exception {
        try (PostgresServer old = newServer()) {
            old.start();
            CLUSTER.broker().createTopic(topic, TASKS);
            PostgresStore before = new PostgresStore(old);
            before.create(topic);
            try (PostgresServer standby = old.standby()) {
                standby.start();
                CLUSTER.startSink(topic, TASKS, settings(mode, replay, old, standby));
                CLUSTER.awaitPartitions(topic, TASKS); // a task goes back no further than to its assignment
                try (Load load = new Load(CLUSTER, topic, RATE, RECORDS)) {
                    await().atMost(SOON).until(() -> load.sent() >= CUT_OFF_AFTER && before.count(topic) > 0);
                    standby.stopReceiving();
                    long known = before.count(topic); // at least
                    await().atMost(SOON).until(() -> before.count(topic) >= known + RATE / 2);
                    old.kill();
                    standby.promote();
                    load.awaitEnd();
                }
                await().atMost(SOON).until(() -> committed(topic) == RECORDS);
                CLUSTER.assertNoTaskFailed(topic, TASKS);
                return new PostgresStore(standby).rows(topic);
            }
        }
    }

    private static long committed(String topic) {
        return CLUSTER.rest().offsets(topic).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static Map<String, String> settings(
            String mode, Duration replay, PostgresServer old, PostgresServer standby) {
        return new HashMap<>(Map.of(
                "pk.mode",
                "kafka",
                "insert.mode",
                mode,
                "failover.replay.ms",
                Long.toString(replay.toMillis()),
                "connection.url",
                "jdbc:postgresql://%s:%d,%s:%d/%s"
                        .formatted(old.host(), old.port(), standby.host(), standby.port(), old.database()),
                "connection.password",
                old.password(),
                "retry.backoff.max.ms",
                "500"));
    }
}
