package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectRest.TaskStatus;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.testkit.postgres.PgBouncer.PoolMode;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The sink behind the system's PgBouncer with its default settings. Skipped, and said so, where there is none. */
final class PgBouncerIT {
    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build());
    private static final Map<PoolMode, PgBouncer> POOLERS = new EnumMap<>(PoolMode.class);

    @BeforeAll
    static void start() {
        if (!PgBouncer.isInstalled()) {
            Skip.loudly(PgBouncerIT.class, "no pgbouncer is installed (Debian: apt-get install pgbouncer)");
        }
        CLUSTER.start(1);
        for (PoolMode mode : new PoolMode[] {PoolMode.TRANSACTION, PoolMode.STATEMENT}) {
            PgBouncer pooler = PgBouncer.inFrontOf(CLUSTER.server(), mode);
            POOLERS.put(mode, pooler);
            pooler.start();
        }
    }

    @AfterAll
    static void close() throws Exception {
        CLUSTER.close();
        POOLERS.values().forEach(PgBouncer::close);
    }

    @AfterEach
    void delete() {
        CLUSTER.rest().list().forEach(CLUSTER.rest()::delete);
    }

    private static Map<String, String> through(PoolMode mode, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("connection.url", POOLERS.get(mode).jdbcUrl());
        return all;
    }

    private static void kill(String what) {
        CLUSTER.store()
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '" + what
                        + "%' AND pid <> pg_backend_pid()");
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSACTION", "STATEMENT"})
    void comesThroughARestartOfThePooler(PoolMode mode) {
        String topic = "restart-" + mode;
        CLUSTER.create(topic, 4);
        CLUSTER.startSink(topic, 4, through(mode, Map.of("delivery.guarantee", "exactly_once")));
        try (Records records = CLUSTER.newRecords()) {
            for (int round = 0; round < 4; round++) {
                records.send(topic, round * 2_000L, (round + 1) * 2_000L);
                if (round < 3) {
                    POOLERS.get(mode).restart();
                }
            }
            CLUSTER.awaitRows(topic, 8_000);
        }
        CLUSTER.assertNoTaskFailed(topic, 4);
        assertThat(CLUSTER.store()
                        .column("SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE"
                                + " 'tidegate%'"))
                .anyMatch(name -> name.startsWith("tidegate " + topic + "@"));
    }

    @ParameterizedTest
    @CsvSource({
        "TRANSACTION, values",
        "TRANSACTION, unnest",
        "TRANSACTION, copy",
        "TRANSACTION, auto",
        "STATEMENT, values",
        "STATEMENT, unnest",
        "STATEMENT, auto"
    })
    void everyMethodWritesEachRowOnce(PoolMode mode, String method) {
        String topic = "once-" + mode + "-" + method;
        CLUSTER.create(topic, 2);
        try (Records records = CLUSTER.newRecords()) {
            records.send(topic, 0, 3_000);
            CLUSTER.startSink(
                    topic, 2, through(mode, Map.of("delivery.guarantee", "exactly_once", "insert.method", method)));
            await().atMost(SOON).until(() -> CLUSTER.rows(topic) > 0);
            kill("tidegate " + topic);
            records.send(topic, 3_000, 6_000);
            CLUSTER.awaitRows(topic, 6_000);
        }
        CLUSTER.assertNoTaskFailed(topic, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSACTION", "STATEMENT"})
    void badRowsCostTheirNeighboursNothing(PoolMode mode) {
        String topic = "poison-" + mode;
        CLUSTER.create(topic, 1);
        CLUSTER.store().execute("ALTER TABLE \"" + topic + "\" ADD CHECK ((doc->>'n')::int % 1000 <> 7)");
        try (Records records = CLUSTER.newRecords()) {
            records.send(topic, 0, 10_000);
        }
        CLUSTER.startSink(topic, 1, through(mode, Map.of("errors.tolerance", "all")));

        CLUSTER.awaitRows(topic, 9_990);
        CLUSTER.assertNoTaskFailed(topic, 1);
        // A pooler that waits for the rest of a COPY would answer nothing for socket.timeout.ms, but not each time.
        assertThat(logOf(CLUSTER.worker(0))).contains("A COPY failed behind a pooler");
    }

    @Test
    void copyWithExactlyOnceIsRefusedInStatementMode() {
        CLUSTER.create("refused", 1);
        CLUSTER.startSink(
                "refused",
                1,
                through(PoolMode.STATEMENT, Map.of("delivery.guarantee", "exactly_once", "insert.method", "copy")));
        try (Records records = CLUSTER.newRecords()) {
            records.send("refused", 0, 2_000);
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(CLUSTER.rest().status("refused").tasks())
                        .extracting(TaskStatus::state)
                        .containsExactly("FAILED"));
        assertThat(CLUSTER.rest().status("refused").tasks().get(0).trace().orElseThrow())
                .contains("insert.method=copy", "insert.method=unnest", "statement");
        assertThat(CLUSTER.rows("refused")).isZero();
    }

    @Test
    void theDurabilityOfCommitsIsTheRolesAndNeverSetForOthers() {
        CLUSTER.create("durable", 1);
        Map<String, String> off =
                through(PoolMode.TRANSACTION, Map.of("delivery.guarantee", "exactly_once", "commit.durability", "off"));
        assertThatThrownBy(() -> CLUSTER.putConfig("durable", "durable", 1, off))
                .hasMessageContaining("commit.durability")
                .hasMessageContaining("ALTER ROLE ... SET synchronous_commit = off");

        CLUSTER.store().execute("ALTER ROLE CURRENT_USER SET synchronous_commit = off");
        try (Records records = CLUSTER.newRecords()) {
            POOLERS.get(PoolMode.TRANSACTION).restart();
            CLUSTER.startSink("durable", 1, off);
            records.send("durable", 0, 10);
            CLUSTER.awaitRows("durable", 10);
        } finally {
            CLUSTER.store().execute("ALTER ROLE CURRENT_USER RESET synchronous_commit");
            POOLERS.get(PoolMode.TRANSACTION).restart();
        }
    }

    @Test
    void theLogSaysWhatThePoolerDoesNotTake() {
        CLUSTER.create("options", 1);
        CLUSTER.startSink("options", 1, through(PoolMode.TRANSACTION, Map.of()));
        try (Records records = CLUSTER.newRecords()) {
            records.send("options", 0, 10);
            CLUSTER.awaitRows("options", 10);
        }
        assertThat(logOf(CLUSTER.worker(0)))
                .contains("refuses an option of the session (unsupported startup parameter: options, SQLSTATE 08P01)");
    }
}
