package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Two workers of one group: what they open together, what they leave behind, and who may write. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class TwoWorkersIT {
    private static final Map<String, String> EXACTLY_ONCE = Map.of("delivery.guarantee", "exactly_once");
    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build());

    @BeforeAll
    static void start() {
        CLUSTER.start(2);
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

    /** Sessions of the sink on the server that were opened by this worker. */
    private static int sessionsOf(ConnectWorker worker) {
        return sessionsOf(worker.pid(), "true");
    }

    private static int waitingSessionsOf(ConnectWorker worker) {
        return sessionsOf(worker.pid(), "wait_event_type = 'Lock'");
    }

    private static int sessionsOf(long pid, String condition) {
        return CLUSTER.store()
                .column("SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tidegate%[" + pid + "]' AND "
                        + condition)
                .size();
    }

    @Test
    void theTotalIsWorkersTimesSize() {
        CLUSTER.create("total", 12);
        CLUSTER.startSink("total", 12, Map.of("connection.pool.max.size", "2"));
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Records records = CLUSTER.newRecords();
                SessionSampler sampler = new SessionSampler(CLUSTER.store(), seen)) {
            AtomicLong sent = new AtomicLong();
            await().atMost(SOON).until(() -> {
                records.send("total", sent.get(), sent.addAndGet(2_000));
                return sessionsOf(CLUSTER.worker(0)) > 0 && sessionsOf(CLUSTER.worker(1)) > 0;
            });
            CLUSTER.awaitRows("total", sent.get());
            assertThat(sampler.isAlive()).isTrue();
        }
        assertThat(seen).isNotEmpty().allMatch(sessions -> sessions <= 4);
    }

    @Test
    void rebalancesNeitherLoseNorDoubleARow() {
        CLUSTER.create("rebalances", 6);
        CLUSTER.startSink("rebalances", 6, EXACTLY_ONCE);
        try (Records records = CLUSTER.newRecords()) {
            records.send("rebalances", 0, 5_000);
            CLUSTER.worker(1).stop();
            records.send("rebalances", 5_000, 10_000);
            CLUSTER.worker(1).start();
            records.send("rebalances", 10_000, 15_000);
            CLUSTER.worker(1).kill();
            records.send("rebalances", 15_000, 20_000);
            CLUSTER.worker(1).start();
            records.send("rebalances", 20_000, 25_000);

            CLUSTER.awaitRows("rebalances", 25_000);
        }
        CLUSTER.assertNoTaskFailed("rebalances", 6);
    }

    @Test
    void aFrozenWorkerThatWakesUpAfterItsPartitionsMovedWritesNothing() throws SQLException {
        ConnectWorker frozen = CLUSTER.worker(1);
        CLUSTER.create("frozen", 4);
        CLUSTER.startSink("frozen", 4, with(EXACTLY_ONCE, "batch.size", "100"));
        try (Records records = CLUSTER.newRecords();
                Connection lock = lock("frozen")) {
            records.send("frozen", 0, 10_000);
            await().atMost(SOON).until(() -> waitingSessionsOf(frozen) > 0); // it has claimed a partition
            frozen.pause();
            lock.commit();
            // What was on its way when it froze is its own; all else is the other worker's by and by.
            CLUSTER.awaitRows("frozen", 10_000);

            int mark = logOf(frozen).length();
            frozen.resume();
            // It is refused, or learns first from Kafka or from the other worker that the partitions are no longer its
            // own.
            await().atMost(SOON).until(() -> Stream.of(
                            "has been claimed by another task",
                            "the server's offsets are not what this task knew of them",
                            "Lost previously assigned partitions",
                            "Revoke previously assigned partitions",
                            "Giving away all assigned partitions as lost")
                    .anyMatch(logOf(frozen).substring(mark)::contains));
            records.send("frozen", 10_000, 20_000);
            CLUSTER.awaitRows("frozen", 20_000);
        }
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> CLUSTER.rest().status("frozen").isRunning(4));
        assertThat(CLUSTER.rows("frozen")).isEqualTo(20_000);
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(key, value);
        return more;
    }

    /** Nobody else writes to the table before this connection commits or closes. */
    private static Connection lock(String table) throws SQLException {
        Connection connection = CLUSTER.server().connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE \"" + table + "\" IN EXCLUSIVE MODE");
        }
        return connection;
    }

    /** The last test: the killed worker stays down. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theServerIsRidOfAKilledWorkersSessionsThoughTheirStatementsWait() throws SQLException {
        CLUSTER.create("killed", 8);
        CLUSTER.startSink("killed", 8, Map.of());
        ConnectWorker killed = CLUSTER.worker(1);
        try (Records records = CLUSTER.newRecords();
                Connection lock = lock("killed")) {
            records.send("killed", 0, 1_000);
            await().atMost(SOON).until(() -> waitingSessionsOf(killed) > 0);
            long pid = killed.pid();
            killed.kill();
            // Far below the minute that TCP keep-alive would take; the lock is held all the time.
            await().atMost(Duration.ofSeconds(30)).until(() -> sessionsOf(pid, "true") == 0);
            lock.commit();
            await().atMost(SOON).until(() -> CLUSTER.hasDistinct("killed", 1_000));
        }
    }
}
