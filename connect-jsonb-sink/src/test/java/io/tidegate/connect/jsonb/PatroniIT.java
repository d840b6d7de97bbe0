package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.Patroni;
import io.tidegate.connect.testkit.postgres.PatroniNode;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Three servers that the system's Patroni keeps, under load, with the addresses of all three and default settings. Skipped,
 * and said so, where there is no Patroni. {@code -Dpatroni.rounds=10} repeats each change; the times are printed. Those in
 * docs/explanation/reliability.md are measured with {@code -Dpatroni.rate=1000 -Dload.pause.ms=10}.
 */
final class PatroniIT {
    private static final int ROUNDS = Integer.getInteger("patroni.rounds", 1);
    private static final int RATE = Integer.getInteger("patroni.rate", 250);
    private static final int TASKS = 2;
    private static final long HELD_BACK_ROWS = RATE; // those of a second
    private static final Map<String, String> EXACTLY_ONCE = Map.of("delivery.guarantee", "exactly_once");
    private static final Map<String, String> KEYED = Map.of("pk.mode", "kafka", "insert.mode", "ignore");

    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build());
    private static final SortedMap<String, List<Double>> SECONDS = new TreeMap<>();
    private static Patroni patroni;

    @BeforeAll
    static void start() {
        if (!Patroni.isInstalled()) {
            Skip.loudly(
                    PatroniIT.class,
                    "no Patroni, etcd or PostgreSQL is installed (Debian: apt-get install patroni etcd-server"
                            + " postgresql)");
        }
        CLUSTER.start(1);
        patroni = Patroni.ofNodes(3).start();
        leader().execute(SinkCluster.OFFSETS_TABLE);
    }

    @AfterAll
    static void close() {
        if (patroni != null) {
            patroni.close();
        }
        CLUSTER.close();
        SECONDS.forEach(PatroniIT::print);
    }

    @AfterEach
    void delete() {
        CLUSTER.rest().list().forEach(CLUSTER.rest()::delete);
    }

    @Test
    void losesAndDoublesNothingInSynchronousMode() {
        patroni.replicateSynchronously(true);
        for (int round = 0; round < ROUNDS; round++) {
            String once = "synchronous-once-" + round;
            String keyed = "synchronous-keyed-" + round;
            startSink(once, EXACTLY_ONCE);
            startSink(keyed, KEYED);
            try (Load onceLoad = new Load(CLUSTER, once, RATE);
                    Load keyedLoad = new Load(CLUSTER, keyed, RATE)) {
                List<String> topics = List.of(once, keyed);
                change("synchronous, switchover", topics, patroni::switchOver);
                patroni.replicateSynchronously(true);
                change("synchronous, failover", topics, PatroniIT::failOver);

                assertComplete(once, onceLoad.stop());
                assertComplete(keyed, keyedLoad.stop());
            }
            assertThat(wasForgotten(once)).isFalse();
            delete();
        }
    }

    @Test
    void writesAgainWhatTheNewLeaderNeverHadInAsynchronousMode() {
        patroni.replicateSynchronously(false);
        for (int round = 0; round < ROUNDS; round++) {
            String topic = "asynchronous-" + round;
            startSink(topic, EXACTLY_ONCE);
            try (Load load = new Load(CLUSTER, topic, RATE)) {
                change("asynchronous, switchover", List.of(topic), patroni::switchOver);
                change("asynchronous, failover", List.of(topic), () -> forgetAndFailOver(topic));

                assertComplete(topic, load.stop());
            }
            assertThat(wasForgotten(topic)).isTrue();
            delete();
        }
    }

    /** Whether the log says that the server had to be given rows of this topic again. */
    private static boolean wasForgotten(String topic) {
        return logOf(CLUSTER.worker(0))
                .lines()
                .anyMatch(line -> line.contains(topic) && line.contains("it has lost commits"));
    }

    private static void failOver() {
        PatroniNode killed = patroni.killLeader();
        patroni.awaitLeader();
        killed.start();
    }

    private static void forgetAndFailOver(String topic) {
        PostgresStore before = leader();
        patroni.holdBackReplication();
        long known = before.count(topic);
        await().atMost(SOON).until(() -> before.count(topic) >= known + HELD_BACK_ROWS);
        Instant counted = Instant.now();
        long written = rowsUntil(counted, topic);

        PatroniNode killed = patroni.killLeader();
        patroni.awaitLeader();
        assertThat(written - rowsUntil(counted, topic)).isGreaterThanOrEqualTo(HELD_BACK_ROWS);
        killed.start();
    }

    /** Goes on when each topic has rows of before and after it; notes the longest time without a row of one of them. */
    private static void change(String name, List<String> topics, Runnable change) {
        patroni.awaitStandbys();
        for (String topic : topics) {
            awaitRowsSince(topic, Instant.now());
        }
        Instant start = Instant.now();
        change.run();
        Instant end = Instant.now();
        for (String topic : topics) {
            awaitRowsSince(topic, end);
            SECONDS.computeIfAbsent(name, key -> new ArrayList<>()).add(secondsWithoutRows(topic, start));
        }
    }

    private static long rowsUntil(Instant time, String topic) {
        return Long.parseLong(leader().column("SELECT count(*) FROM \"" + topic + "\" WHERE at <= '" + time + "'")
                .get(0));
    }

    private static void awaitRowsSince(String topic, Instant time) {
        String sql = "SELECT 1 FROM \"" + topic + "\" WHERE at > '" + time + "' LIMIT 1";
        await().atMost(SOON).ignoreExceptions().until(() -> !leader().column(sql)
                .isEmpty());
    }

    private static double secondsWithoutRows(String topic, Instant since) {
        String sql =
                "SELECT max(extract(epoch FROM gap)) FROM (SELECT at, at - lag(at) OVER (ORDER BY at) AS gap FROM \""
                        + topic + "\") gaps WHERE at > '" + since + "'";
        return Double.parseDouble(leader().column(sql).get(0));
    }

    /** A table that says when each row was written, its topic, and a connector of the same name. */
    private static void startSink(String topic, Map<String, String> settings) {
        CLUSTER.broker().createTopic(topic, TASKS);
        leader().create(topic);
        leader().execute("ALTER TABLE \"" + topic + "\" ADD at timestamptz NOT NULL DEFAULT clock_timestamp()");
        Map<String, String> all = new HashMap<>(settings);
        all.put("connection.url", patroni.jdbcUrl());
        all.put("connection.password", patroni.nodes().get(0).password());
        CLUSTER.startSink(topic, TASKS, all);
    }

    private static PostgresStore leader() {
        return new PostgresStore(patroni.awaitLeader());
    }

    private static void assertComplete(String topic, long sent) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(leader().countDistinct(topic))
                .isEqualTo(sent));
        assertThat(leader().count(topic)).isEqualTo(sent);
        CLUSTER.assertNoTaskFailed(topic, TASKS);
    }

    private static void print(String change, List<Double> seconds) {
        Collections.sort(seconds);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %d |%n",
                change,
                seconds.get(seconds.size() / 2),
                seconds.get(seconds.size() - 1),
                seconds.size());
    }
}
