package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the server sees of a whole distributed worker with a heap of 256 MB: the pool is shared, bounded and closed. */
final class SharedPoolIT {
    private static final int MAX_CONNECTIONS = 20;
    private static final int MANY = 24;

    private static final SinkCluster CLUSTER = new SinkCluster(
            PostgresServer.builder().fastStart().maxConnections(MAX_CONNECTIONS).build());
    private static final PostgresStore STORE = CLUSTER.store();

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() throws Exception {
        CLUSTER.close();
    }

    @AfterEach
    void deletedConnectorsLeaveNoConnection() {
        CLUSTER.rest().list().forEach(CLUSTER.rest()::delete);
        CLUSTER.awaitSessions(0);
    }

    @Test
    void twentyFourTasksNeverOpenAFifthConnectionAndFitInTheHeap() {
        CLUSTER.create("many", MANY);
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Records records = CLUSTER.newRecords();
                SessionSampler sampler = new SessionSampler(STORE, seen)) {
            String large = "x".repeat(1_000_000);
            for (int n = 0; n < 240; n++) {
                records.sendJson("many", "{\"n\": " + n + ", \"large\": \"" + large + "\"}");
            }
            CLUSTER.startSink("many", MANY, Map.of());
            records.send("many", 240, 24_000);

            // Not exactly: tasks that start one after another rebalance, and the pool is busy for longer than a drain.
            await().atMost(SOON).until(() -> CLUSTER.hasDistinct("many", 24_000));
            assertThat(sampler.isAlive()).isTrue();
        }
        assertThat(List.copyOf(seen)).isNotEmpty().contains(4).allMatch(sessions -> sessions <= 4);
        CLUSTER.assertNoTaskFailed("many", MANY);
        assertThat(logOf(CLUSTER.worker(0))).doesNotContain("OutOfMemoryError");
    }

    @Test
    void tasksWaitWhileOthersHaveAllConnections() throws SQLException {
        CLUSTER.create("full", 4);
        CLUSTER.startSink("full", 4, Map.of("connection.pool.wait.ms", "1000"));
        List<Connection> others = new ArrayList<>();
        try (Records records = CLUSTER.newRecords()) {
            STORE.takeAllConnections(others);
            records.send("full", 0, 1_000);
            await().atMost(SOON).until(() -> logOf(CLUSTER.worker(0)).contains("cannot be written to; trying again"));

            Connection observer = others.get(1);
            others.remove(0).close();
            // Not exactly: tasks that start one after another rebalance, and a drain finds no connection.
            await().atMost(SOON).until(() -> PostgresStore.distinct(observer, "full") == 1_000);
            records.send("full", 1_000, 2_000);
            await().atMost(SOON).until(() -> PostgresStore.distinct(observer, "full") == 2_000);
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
        CLUSTER.assertNoTaskFailed("full", 4);
        assertThat(logOf(CLUSTER.worker(0)).split("accepts no more connections: .*SQLSTATE 53300", -1))
                .as("said once")
                .hasSize(2);
    }

    @Test
    void connectorsOfDifferentSizesHaveTheirOwnConnections() {
        CLUSTER.create("sizes", 8);
        CLUSTER.startSink("sizes", 8, Map.of("connection.pool.max.size", "1"));
        CLUSTER.putConfig("sizes-too", "sizes", 8, Map.of("connection.pool.max.size", "3"));
        CLUSTER.rest().awaitRunning("sizes-too", 8, SOON);
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Records records = CLUSTER.newRecords();
                SessionSampler sampler = new SessionSampler(STORE, seen)) {
            records.send("sizes", 0, 20_000);
            // Not exactly: a task that starts late takes a partition whose last records are not committed yet.
            await().atMost(SOON).until(() -> CLUSTER.rows("sizes") >= 40_000);
            assertThat(sampler.isAlive()).isTrue();
        }
        assertThat(List.copyOf(seen)).isNotEmpty().allMatch(sessions -> sessions <= 4);
    }

    @Test
    void restartsLeaveNoConnectionBehind() {
        CLUSTER.create("restarts", 2);
        CLUSTER.startSink("restarts", 2, Map.of());
        try (Records records = CLUSTER.newRecords()) {
            for (long restart = 0; restart < 10; restart++) {
                records.send("restarts", restart * 10, (restart + 1) * 10);
                CLUSTER.rest().restart("restarts", true);
            }
            CLUSTER.rest().awaitRunning("restarts", 2, SOON);
            await().atMost(SOON).until(() -> CLUSTER.hasDistinct("restarts", 100));
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(STORE.poolSessions()).isLessThanOrEqualTo(4));
    }

    @Test
    void failedTasksLeaveNoConnectionBehind() {
        CLUSTER.create("failing", 4);
        CLUSTER.startSink("failing", 4, Map.of());
        STORE.execute("DROP TABLE failing");
        try (Records records = CLUSTER.newRecords()) {
            records.send("failing", 0, 100);
        }
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> assertThat(
                        CLUSTER.rest().status("failing").tasks())
                .hasSize(4)
                .extracting(TaskStatus::state)
                .containsOnly("FAILED"));
        CLUSTER.awaitSessions(0);
    }
}
