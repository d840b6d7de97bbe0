package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * State that changes behind the sink's back, with exactly once: a server that comes back older than it was, and a log that
 * starts again. {@code -Dforgetful.seed=N} draws when the standby is cut off. The table in docs/explanation/reliability.md is
 * written with {@code -Dforgetful.rounds=20 -Dforgetful.records=240000 -Dforgetful.lag.ms=6000 -Dload.pause.ms=10
 * -Dreliability.write=true}.
 */
final class ForgetfulServerIT {
    private static final int ROUNDS = Integer.getInteger("forgetful.rounds", 1);
    private static final long SEED = Long.getLong("forgetful.seed", 20261122);
    /** A tenth of them or more are written before the server is cut off. */
    private static final int RECORDS = Integer.getInteger("forgetful.records", 20_000);

    private static final int LAG = Integer.getInteger("forgetful.lag.ms", 500);
    private static final int RATE = 4_000;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int TASKS = 3;

    private static final SinkCluster CLUSTER = new SinkCluster(newServer());
    private static int round;

    /** What one round showed: records, rows that the server forgot, and seconds from its promotion to the first new row. */
    record Round(long sent, long forgotten, double seconds) {}

    /** How an older state of the server becomes the present one. */
    private enum Past {
        /** An asynchronous standby that was cut off is promoted. */
        LAGGING_STANDBY,
        /** A backup that was taken under load is started in the place of the server. */
        RESTORED_BACKUP
    }

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    private static PostgresServer newServer() {
        return PostgresServer.builder().fastStart().build();
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
    @EnumSource(Past.class)
    void writesAgainWhatTheServerForgot(Past past) throws Exception {
        Random random = new Random(SEED);
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            rounds.add(forget(past, "forgetful-" + round++, random));
            System.err.println(past + " " + rounds.get(i));
        }
        if (Boolean.getBoolean("reliability.write")) {
            ForgottenTable.write(past.name().toLowerCase(Locale.ROOT), rounds);
        }
    }

    private static Round forget(Past past, String topic, Random random) throws Exception {
        long cutOffAfter = RECORDS / 8L + random.nextInt(RECORDS / 4);
        try (PostgresServer old = newServer()) {
            old.start();
            CLUSTER.broker().createTopic(topic, TASKS);
            PostgresStore before = new PostgresStore(old);
            before.execute("CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL)");
            before.execute(SinkCluster.OFFSETS_TABLE);
            try (PostgresServer standby = old.standby()) {
                startSink(topic, old, standby);
                try (Load load = new Load(CLUSTER, topic, RATE)) {
                    // A task that was given a partition later cannot know from where a lost entry was written.
                    String entries = "SELECT 1 FROM tidegate_offsets WHERE topic = '" + topic + "'";
                    PostgresStore copy = new PostgresStore(standby);
                    await().atMost(SOON)
                            .until(() -> load.sent() >= cutOffAfter
                                    && copy.column(entries).size() == TASKS);
                    freeze(past, standby);
                    long knownToStandby = before.count(topic); // at least
                    await().atMost(SOON).until(() -> before.count(topic) >= knownToStandby + LAG * RATE / 1_000);

                    long written = before.count(topic);
                    old.kill();
                    PostgresStore after = new PostgresStore(standby);
                    long forgotten = written - revive(past, standby, topic);
                    long promoted = System.nanoTime();
                    assertThat(forgotten).isPositive();
                    await().atMost(SOON).pollInterval(POLL).until(() -> after.count(topic) > written - forgotten);
                    double seconds = (System.nanoTime() - promoted) / 1e9;
                    long sent = load.stop();

                    await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(after.countDistinct(topic))
                            .as("%s, seed %d, cut off after %d", past, SEED, cutOffAfter)
                            .isEqualTo(sent));
                    assertThat(after.count(topic)).isEqualTo(sent);
                    CLUSTER.assertNoTaskFailed(topic, TASKS);
                    assertThat(SinkCluster.logOf(CLUSTER.worker(0))).contains("it has lost commits");
                    return new Round(sent, forgotten, seconds);
                }
            }
        }
    }

    /** No record comes after the failover: the sink asks the new primary nevertheless. */
    @Test
    void writesAgainWhatTheServerForgotOfAPartitionWithoutNewRecords() throws Exception {
        String topic = "idle";
        try (PostgresServer old = newServer();
                Records records = CLUSTER.newRecords()) {
            old.start();
            CLUSTER.broker().createTopic(topic, 1);
            PostgresStore before = new PostgresStore(old);
            before.execute("CREATE TABLE idle (doc jsonb NOT NULL)");
            before.execute(SinkCluster.OFFSETS_TABLE);
            try (PostgresServer standby = old.standby()) {
                startSink(topic, old, standby);
                records.send(topic, 0, 100);
                await().atMost(SOON).until(() -> before.count(topic) == 100);
                await().atMost(SOON).until(() -> new PostgresStore(standby).count(topic) == 100);
                standby.stopReceiving();
                records.send(topic, 100, 200);
                await().atMost(SOON).until(() -> before.count(topic) == 200);
                awaitCommitted(topic, 200);

                old.kill();
                standby.promote();

                PostgresStore after = new PostgresStore(standby);
                await().atMost(SOON).untilAsserted(() -> assertThat(after.countDistinct(topic))
                        .isEqualTo(200));
                assertThat(after.count(topic)).isEqualTo(200);
                CLUSTER.assertNoTaskFailed(topic, TASKS);
            }
        }
    }

    /** Nothing but a commit makes this server write its log, so that commits that are not waited for are lost. */
    private static PostgresServer newLazyServer(String synchronousCommit) {
        return PostgresServer.builder()
                .fastStart()
                .setting("synchronous_commit", synchronousCommit)
                .setting("wal_writer_delay", "10s")
                .setting("wal_writer_flush_after", "1GB")
                .setting("wal_buffers", "64MB")
                .setting("bgwriter_lru_maxpages", "0")
                .setting("autovacuum", "off")
                .build();
    }

    private static void startSinkThatDoesNotWait(String topic, PostgresServer server, String durability) {
        server.start();
        CLUSTER.broker().createTopic(topic, 1);
        PostgresStore store = new PostgresStore(server);
        store.execute("CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL)");
        store.execute(SinkCluster.OFFSETS_TABLE);
        CLUSTER.startSink(
                topic,
                1,
                Map.of(
                        "delivery.guarantee",
                        "exactly_once",
                        "commit.durability",
                        durability,
                        "connection.url",
                        server.jdbcUrl(),
                        "connection.password",
                        server.password(),
                        "retry.backoff.max.ms",
                        "500"));
    }

    /** Connect has answered that they are set. */
    @Test
    void offsetsThatAPersonHasSetOutliveACrash() {
        try (PostgresServer server = newLazyServer("on")) {
            server.start();
            PostgresStore store = new PostgresStore(server);
            store.execute(SinkCluster.OFFSETS_TABLE);
            store.execute("INSERT INTO tidegate_offsets (connector, topic, partition, next_offset, generation)"
                    + " VALUES ('set', 'kept', 0, 100, 1), ('set', 'forgotten', 0, 100, 1)");
            Map<String, String> config = store.connected(
                    Map.of("name", "set", "delivery.guarantee", "exactly_once", "commit.durability", "off"));
            TopicPartition kept = new TopicPartition("kept", 0);
            TopicPartition forgotten = new TopicPartition("forgotten", 0);
            JsonbSinkConnector connector = new JsonbSinkConnector();

            assertThat(connector.alterOffsets(config, Map.of(kept, 5L, forgotten, 7L)))
                    .isTrue();
            server.kill();
            server.start();
            assertThat(store.column("SELECT topic || next_offset FROM tidegate_offsets ORDER BY 1"))
                    .containsExactly("forgotten7", "kept5");

            Map<TopicPartition, Long> reset = new HashMap<>();
            reset.put(forgotten, null);
            assertThat(connector.alterOffsets(config, reset)).isTrue();
            server.kill();
            server.start();
            assertThat(store.column("SELECT topic || next_offset FROM tidegate_offsets"))
                    .containsExactly("kept5");

            assertThat(connector.alterOffsets(config, Map.of())).isTrue();
            server.kill();
            server.start();
            assertThat(store.column("SELECT topic FROM tidegate_offsets")).isEmpty();
        }
    }

    @Test
    void writesAgainWhatACrashLostOfCommitsThatNobodyWaitedFor() throws Exception {
        String topic = "not-durable";
        try (PostgresServer server = newLazyServer("on");
                Records records = CLUSTER.newRecords()) {
            startSinkThatDoesNotWait(topic, server, "off");
            PostgresStore store = new PostgresStore(server);
            records.send(topic, 0, 1_000);
            await().atMost(SOON).until(() -> store.hasDistinct(topic, 1_000));
            for (int round = 1; round <= 5; round++) {
                long sent = 2_000L * round;
                records.send(topic, sent - 1_000, sent);
                await().atMost(SOON).until(() -> store.hasDistinct(topic, sent));
                awaitCommitted(topic, sent);
                server.kill();
                server.start();
                records.send(topic, sent, sent + 1_000);
                await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(store.countDistinct(topic))
                        .isEqualTo(sent + 1_000));
                assertThat(store.count(topic)).isEqualTo(sent + 1_000);
            }
            CLUSTER.assertNoTaskFailed(topic, 1);
            assertThat(SinkCluster.logOf(CLUSTER.worker(0))).contains(topic + "-0: records below offset");
        }
    }

    /** The next task knows only what the server still has. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "server"})
    void writesAgainWhatACrashLostOfAPartitionsFirstCommitsWhileNoTaskRan(String durability) throws Exception {
        String topic = "begun-" + durability;
        try (PostgresServer server = newLazyServer(durability.equals("server") ? "off" : "on");
                Records records = CLUSTER.newRecords()) {
            startSinkThatDoesNotWait(topic, server, durability);
            PostgresStore store = new PostgresStore(server);
            freezeWalWriter(store);
            records.send(topic, 0, 100);
            await().atMost(SOON).until(() -> store.hasDistinct(topic, 100));
            records.send(topic, 100, 200);
            await().atMost(SOON).until(() -> store.hasDistinct(topic, 200));
            awaitCommitted(topic, 200);
            CLUSTER.rest().stop(topic);
            await().atMost(SOON)
                    .until(() -> CLUSTER.rest().status(topic).tasks().isEmpty());
            server.kill();
            server.start();
            assertThat(store.count(topic)).isLessThan(200);

            CLUSTER.rest().resume(topic);

            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(store.countDistinct(topic))
                    .isEqualTo(200));
            assertThat(store.count(topic)).isEqualTo(200);
        }
    }

    /** It would flush these commits every ten seconds, its longest delay. */
    private static void freezeWalWriter(PostgresStore store) throws Exception {
        String pid = store.column("SELECT pid::text FROM pg_stat_activity WHERE backend_type = 'walwriter'")
                .get(0);
        assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
    }

    private static void startSink(String topic, PostgresServer old, PostgresServer standby) {
        standby.start();
        Map<String, String> settings = new HashMap<>(Map.of(
                "delivery.guarantee",
                "exactly_once",
                "connection.url",
                "jdbc:postgresql://%s:%d,%s:%d/%s"
                        .formatted(old.host(), old.port(), standby.host(), standby.port(), old.database()),
                "connection.password",
                old.password(),
                "retry.backoff.max.ms",
                "500"));
        CLUSTER.startSink(topic, TASKS, settings);
    }

    private static void freeze(Past past, PostgresServer standby) {
        switch (past) {
            case LAGGING_STANDBY -> standby.stopReceiving();
            case RESTORED_BACKUP -> standby.stop();
        }
    }

    /** Returns the rows that the server had before the sink could write to it. */
    private static long revive(Past past, PostgresServer standby, String topic) {
        if (past == Past.RESTORED_BACKUP) {
            standby.start();
        }
        long rows = new PostgresStore(standby).count(topic);
        standby.promote();
        return rows;
    }

    /** What Kafka's group says counts least; here it stands above what the server will know. */
    private static void awaitCommitted(String topic, long records) {
        await().atMost(SOON)
                .until(() -> CLUSTER.rest().offsets(topic).values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        == records);
    }

    @Test
    void saysThatATopicIsAnotherOneAndWritesItOnceThatIsAccepted() throws Exception {
        String topic = "recreated";
        CLUSTER.create(topic, 1);
        try (Records records = CLUSTER.newRecords()) {
            records.send(topic, 0, 100);
            CLUSTER.startSink(topic, 1, Map.of("delivery.guarantee", "exactly_once"));
            CLUSTER.awaitRows(topic, 100);
            CLUSTER.rest().delete(topic);
            CLUSTER.broker().deleteTopic(topic);
            CLUSTER.broker().createTopic(topic, 1);
            records.send(topic, 1_000, 1_050);

            CLUSTER.putConfig(topic, topic, 1, Map.of("delivery.guarantee", "exactly_once"));
            assertFailed(topic, "the log is shorter than it was");
            records.send(topic, 1_050, 1_200);
            CLUSTER.rest().restart(topic, true);
            assertFailed(topic, "the record at 99 is not the one that was written last");
            assertThat(CLUSTER.rows(topic)).isEqualTo(100);

            CLUSTER.rest().stop(topic);
            CLUSTER.rest().alterOffsets(topic, Map.of(new TopicPartition(topic, 0), 0L));
            CLUSTER.rest().resume(topic);
            CLUSTER.awaitRows(topic, 300);
        }
    }

    private static void assertFailed(String connector, String reason) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(CLUSTER.rest().status(connector).failure())
                        .hasValueSatisfying(trace ->
                                assertThat(trace).contains(reason, "PATCH /connectors/" + connector + "/offsets")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "stopped", "running-no-entry"})
    void writesAgainWhatIsTakenBack(String state) throws Exception {
        String topic = "taken-back-" + state;
        CLUSTER.create(topic, 1);
        try (Records records = CLUSTER.newRecords()) {
            CLUSTER.startSink(topic, 1, Map.of("delivery.guarantee", "exactly_once"));
            records.send(topic, 0, 100);
            CLUSTER.awaitRows(topic, 100);
            CLUSTER.store().execute("DROP TABLE IF EXISTS past");
            CLUSTER.store()
                    .execute("CREATE TABLE past AS SELECT * FROM tidegate_offsets WHERE topic = '" + topic + "'");
            records.send(topic, 100, 200);
            CLUSTER.awaitRows(topic, 200);
            awaitCommitted(topic, 200);

            if (state.equals("stopped")) {
                CLUSTER.rest().stop(topic);
            }
            boolean isEntryKept = !state.endsWith("no-entry");
            takeBackRows(topic, isEntryKept ? 100 : 0, isEntryKept);
            if (state.equals("stopped")) {
                CLUSTER.rest().resume(topic);
            }
            records.send(topic, 200, 210);

            CLUSTER.awaitRows(topic, 210);
            CLUSTER.assertNoTaskFailed(topic, 1);
        }
    }

    /** In one transaction, as if a standby that never had them were promoted. */
    private static void takeBackRows(String topic, long first, boolean isEntryKept) {
        String entries = "DELETE FROM tidegate_offsets WHERE topic = '" + topic + "'";
        String past = isEntryKept ? "INSERT INTO tidegate_offsets SELECT * FROM past; " : "";
        CLUSTER.store()
                .execute("DO $$ BEGIN DELETE FROM \"" + topic + "\" WHERE (doc->>'n')::int >= " + first + "; " + entries
                        + "; " + past + "END $$");
    }

    @Test
    void refusedRecordsMoveTheOffsetsOfTheServerToo() throws Exception {
        String topic = "refused-last";
        CLUSTER.create(topic, 1);
        try (Records records = CLUSTER.newRecords()) {
            CLUSTER.startSink(
                    topic,
                    1,
                    Map.of(
                            "delivery.guarantee",
                            "exactly_once",
                            "errors.tolerance",
                            "all",
                            "errors.deadletterqueue.topic.name",
                            topic + "-dlq",
                            "errors.deadletterqueue.topic.replication.factor",
                            "1"));
            records.send(topic, 0, 10);
            records.sendJson(topic, "{\"never\": \"closed");
            records.sendJson(topic, "{\"nor\": \"this");
            awaitCommitted(topic, 12);
            assertThat(CLUSTER.store().column("SELECT next_offset FROM tidegate_offsets WHERE topic = '" + topic + "'"))
                    .containsExactly("12");

            CLUSTER.rest().restart(topic, true);
            records.send(topic, 10, 20);
            CLUSTER.awaitRows(topic, 20);
            assertThat(records.deadLetters(topic + "-dlq")).hasSize(2);
        }
    }
}
