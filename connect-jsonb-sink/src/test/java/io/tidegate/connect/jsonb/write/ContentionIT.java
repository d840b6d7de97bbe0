package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that get in each other's way on a real PostgreSQL, as on every server that aborts one of two transactions and lets
 * it try again: CockroachDB does so at its only isolation level, which is that of the second half here.
 */
@Timeout(120)
final class ContentionIT {
    private static final int TASKS = 3;
    private static final int MOST_TRIES = 10;
    private static final int ROUNDS = 20;
    private static final int KEYS = 400;

    /** A parameter of the URL. */
    private static final String SERIALIZABLE = "?options=-c%20default_transaction_isolation=serializable";

    private static final PostgresServer SERVER = PostgresServer.builder()
            .fastStart()
            .setting("deadlock_timeout", "5ms")
            .build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool() /* ends by itself */;

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    /** One connector's slow table must not make all connectors of the pool log in again. */
    @ParameterizedTest
    @ValueSource(strings = {"unnest", "copy"})
    void aLateStatementIsEndedAndLeavesTheOtherConnectionsOfThePool(String method) {
        STORE.execute("DROP TABLE IF EXISTS late; CREATE TABLE late (doc jsonb)");
        STORE.execute("CREATE OR REPLACE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER late BEFORE INSERT ON late FOR EACH ROW EXECUTE FUNCTION late()");
        Map<String, String> settings = Map.of("socket.timeout.ms", "1000", "insert.method", method);
        try (Target target = new PostgresTargetType().open(STORE.connected(settings));
                BatchWriter writer = target.openWriter(0)) {
            assertThatThrownBy(() -> writer.write(List.of(Documents.append(1, "late", "{}"))))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.DESTINATION); // the server is well
                        assertThat(e.destinations().get("late"))
                                .matches(
                                        ".* process \\d+ still ran it, waiting for Timeout PgSleep, and is told to end it");
                    });

            assertThat(target.metrics())
                    .filteredOn(metric -> metric.name().equals("pool-evictions-total"))
                    .singleElement()
                    .satisfies(metric ->
                            assertThat(metric.value().get().longValue()).isZero());
        }
    }

    /** The driver waits for the server before it sends a row. */
    @Test
    void aCopyThatIsLateBeforeItsFirstRowIsEnded() throws SQLException {
        STORE.execute("CREATE TABLE closed (doc jsonb)");
        Map<String, String> settings = STORE.connected(
                Map.of("socket.timeout.ms", "1000", "insert.method", "copy"), "?options=-c%20lock_timeout=60s");
        try (Connection other = SERVER.connect();
                Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            other.setAutoCommit(false);
            other.createStatement().execute("LOCK TABLE closed");

            assertThatThrownBy(() -> writer.write(List.of(Documents.append(1, "closed", "{}"))))
                    .isInstanceOfSatisfying(WriteException.class, e -> {
                        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                        assertThat(e.destinations().get("closed"))
                                .matches(
                                        ".* process \\d+ still ran it, waiting for Lock relation, and is told to end it");
                    });
            other.rollback();
        }
    }

    /** It holds up nobody: what is too much is sent in parts, as the sink would in the end. */
    @Test
    void aToolsSlowTableIsTooMuchAtOnce() throws SQLException {
        STORE.execute("CREATE TABLE slow (doc jsonb); CREATE TABLE quick (doc jsonb)");
        STORE.execute("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$");
        STORE.execute("CREATE TRIGGER slow BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION slow()");
        AbstractConfig config = new AbstractConfig(new PostgresTargetType().config(), STORE.connected(Map.of()), false);
        try (PoolLease pool = new PoolLease(ConnectionSettings.from(config));
                Connection session = pool.borrow();
                Statement statement = session.createStatement()) {
            statement.execute("SET statement_timeout = '1s'");
            SessionWriter writer =
                    new SessionWriter(pool, session, RowSettings.from(config), InsertSettings.from(config));
            List<Document> documents = new ArrayList<>(List.of(Documents.append(0, "quick", "{}")));
            for (int offset = 1; offset <= 200; offset++) {
                documents.add(Documents.append(offset, "slow", "{}"));
            }

            assertThatThrownBy(() -> writer.write(documents))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.TOO_MUCH));
        }
    }

    /** It has committed: to cancel its wait would show rows that the standby may not have, and more of them would wait too. */
    @ParameterizedTest
    @CsvSource({"unnest, %unnest%", "copy, COPY%"})
    void aCommitThatWaitsForASynchronousStandbyIsNeitherCancelledNorSentAgain(String method, String query)
            throws WriteException {
        STORE.execute("DROP TABLE IF EXISTS replicated; CREATE TABLE replicated (doc jsonb)");
        List<Document> row = List.of(Documents.append(1, "replicated", "{}"));
        Map<String, String> settings = Map.of("socket.timeout.ms", "1000", "insert.method", method);
        try (Target target = new PostgresTargetType().open(STORE.connected(settings));
                BatchWriter writer = target.openWriter(0)) {
            withoutStandby(() -> {
                for (int attempt = 0; attempt < 3; attempt++) {
                    assertThatThrownBy(() -> writer.write(row))
                            .isInstanceOfSatisfying(WriteException.class, e -> assertThat(e.failure())
                                    .isEqualTo(Failure.TRANSIENT))
                            .hasMessageContaining("waits for a synchronous standby");
                }
                assertThat(STORE.column("SELECT count(*) FROM replicated WHERE doc = '{}'"))
                        .containsExactly("0");
                assertThat(STORE.column("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                                + " AND query LIKE '%replicated%' AND query LIKE '" + query + "'"))
                        .containsExactly("1");
            });
            await().until(() -> STORE.column("SELECT count(*) FROM replicated WHERE doc = '{}'")
                    .equals(List.of("1")));
            assertThat(writer.write(row)).isEmpty();
        }
    }

    /** It may be that of an earlier attempt whose wait was ended, by a restart of the server for example. */
    @Test
    void aRowThatIsStoredCountsAsWrittenWhenTheStandbyHasIt() throws WriteException {
        STORE.execute("CREATE TABLE stored_rows (doc jsonb, id text PRIMARY KEY)");
        STORE.execute("INSERT INTO stored_rows VALUES ('{}', 'k')");
        Map<String, String> settings = Map.of(
                "insert.mode", "ignore", "pk.mode", "record_key", "pk.fields", "id", "socket.timeout.ms", "1000");
        List<Document> row = List.of(Documents.write(1, "stored_rows", "k", "{}"));
        try (Target target = new PostgresTargetType().open(STORE.connected(settings));
                BatchWriter writer = target.openWriter(0)) {
            withoutStandby(() -> assertThatThrownBy(() -> writer.write(row))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.TRANSIENT))
                    .hasMessageContaining("waits for a synchronous standby"));

            await().ignoreExceptions().until(() -> writer.write(row).isEmpty());
            assertThat(writer.kept()).isGreaterThan(0);
        }
    }

    /** While commits wait for a standby that does not come. */
    private static void withoutStandby(Runnable work) {
        AtomicBoolean isOver = new AtomicBoolean();
        STORE.execute("CREATE TABLE IF NOT EXISTS waiting (doc jsonb)");
        STORE.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
        STORE.execute("SELECT pg_reload_conf()");
        try {
            // The checkpointer, not a session, decides from when on commits wait.
            THREADS.execute(() -> {
                while (!isOver.get()) {
                    STORE.execute("INSERT INTO waiting VALUES ('0')");
                }
            });
            await().until(() -> STORE.column("SELECT wait_event FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                    .equals(List.of("SyncRep")));
            work.run();
        } finally {
            isOver.set(true);
            STORE.execute("ALTER SYSTEM RESET synchronous_standby_names");
            STORE.execute("SELECT pg_reload_conf()");
        }
    }

    /** Every task upserts the same keys, every second one from the other end. Tasks may happen not to meet, so they try again until the server has reported the error. */
    private static void upsertUntil(String error, String table, String keyFormat, String urlParameters)
            throws Exception {
        long before = errors(error);
        for (int i = 0; i < MOST_TRIES && errors(error) == before; i++) {
            upsertAgainstEachOther(table + i, keyFormat, urlParameters);
        }
        assertThat(errors(error)).isGreaterThan(before);
    }

    private static void upsertAgainstEachOther(String table, String keyFormat, String urlParameters) throws Exception {
        STORE.execute("CREATE TABLE " + table + " (doc jsonb, id int PRIMARY KEY)");
        Map<String, String> settings = STORE.connected(
                Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id"), urlParameters);
        List<Callable<Map<Long, RefusedException>>> tasks = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            boolean isReversed = task % 2 == 1;
            tasks.add(() -> {
                Map<Long, RefusedException> refused = new HashMap<>();
                for (int round = 0; round < ROUNDS; round++) {
                    refused.putAll(DeliveredDocuments.refusals(settings, upserts(table, keyFormat, round, isReversed)));
                }
                return refused;
            });
        }

        assertNoneRefused(THREADS.invokeAll(tasks));
        assertThat(STORE.column(
                        "SELECT count(*) || ' ' || min(doc->>'round') || ' ' || max(doc->>'round') FROM " + table))
                .containsExactly(KEYS + " " + (ROUNDS - 1) + " " + (ROUNDS - 1));
    }

    private static List<Document> upserts(String table, String keyFormat, int round, boolean isReversed) {
        List<Document> documents = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            documents.add(Documents.write(
                    (long) round * KEYS + key, table, keyFormat.formatted(key), "{\"round\": " + round + "}"));
        }
        if (isReversed) {
            Collections.reverse(documents);
        }
        return documents;
    }

    private static void assertNoneRefused(List<Future<Map<Long, RefusedException>>> tasks)
            throws InterruptedException, ExecutionException {
        for (Future<Map<Long, RefusedException>> task : tasks) {
            assertThat(task.get()).isEmpty();
        }
    }

    @Test
    void poisonIsFoundAmongRowsThatOthersWrite() throws Exception {
        STORE.execute("CREATE TABLE poisoned (doc jsonb CHECK ((doc->>'round')::int >= 0), id int PRIMARY KEY)");
        Map<String, String> settings = STORE.connected(
                Map.of("insert.mode", "upsert", "pk.mode", "record_key", "pk.fields", "id"), SERIALIZABLE);
        List<Callable<Map<Long, RefusedException>>> tasks = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            boolean isReversed = task % 2 == 1;
            tasks.add(() -> {
                Map<Long, RefusedException> refused = new HashMap<>();
                for (int round = 0; round < ROUNDS; round++) {
                    List<Document> documents = upserts("poisoned", "%d", round, isReversed);
                    documents.set(77, Documents.write(-round, "poisoned", "-77", "{\"round\": -1}"));
                    refused.putAll(DeliveredDocuments.refusals(settings, documents));
                }
                return refused;
            });
        }

        for (Future<Map<Long, RefusedException>> task : THREADS.invokeAll(tasks)) {
            assertThat(task.get()).hasSize(ROUNDS).allSatisfy((offset, reason) -> {
                assertThat(offset).isNotPositive();
                assertThat(reason.facts()).containsEntry("sqlstate", "23514");
            });
        }
        assertThat(STORE.column("SELECT count(*) FROM poisoned")).containsExactly(Integer.toString(KEYS));
    }

    /** Lines of the server's log. */
    private static long errors(String message) throws IOException {
        try (Stream<String> lines = Files.lines(SERVER.log())) {
            return lines.filter(line -> line.contains("ERROR:  " + message)).count();
        }
    }

    @Test
    void keysAreWrittenInOneOrderWhichCannotDeadlock() throws Exception {
        long before = errors("deadlock detected");

        upsertAgainstEachOther("in_order", "%d", "");

        assertThat(errors("deadlock detected")).isEqualTo(before);
    }

    /** Several tables share a transaction, and every second task comes to them from the other end. */
    @Test
    void tablesAreWrittenInOneOrderToo() throws Exception {
        STORE.execute("CREATE TABLE left_table (doc jsonb, id int PRIMARY KEY)");
        STORE.execute("CREATE TABLE right_table (doc jsonb, id int PRIMARY KEY)");
        Map<String, String> settings = STORE.connected(
                Map.of("insert.mode", "upsert", "insert.method", "unnest", "pk.mode", "record_key", "pk.fields", "id"));
        long before = errors("deadlock detected");
        List<Callable<Map<Long, RefusedException>>> tasks = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            List<String> tables =
                    task % 2 == 1 ? List.of("left_table", "right_table") : List.of("right_table", "left_table");
            tasks.add(() -> {
                Map<Long, RefusedException> refused = new HashMap<>();
                for (int round = 0; round < ROUNDS; round++) {
                    List<Document> documents = new ArrayList<>(upserts(tables.get(0), "%d", round, false));
                    documents.addAll(upserts(tables.get(1), "%d", round, false));
                    refused.putAll(DeliveredDocuments.refusals(settings, documents));
                }
                return refused;
            });
        }

        assertNoneRefused(THREADS.invokeAll(tasks));
        assertThat(errors("deadlock detected")).isEqualTo(before);
    }

    /** Keys of a form whose order says nothing are written as they come. */
    @Test
    void deadlocksAreWrittenAgain() throws Exception {
        upsertUntil("deadlock detected", "deadlocks", "%04d", "");
    }

    @Test
    void serializationFailuresAreWrittenAgain() throws Exception {
        upsertUntil("could not serialize access", "serializable", "%d", SERIALIZABLE);
    }

    @Test
    void exactlyOnceHoldsWhenTransactionsAreAborted() throws Exception {
        createOffsets();
        STORE.execute("CREATE TABLE counted (doc jsonb)");
        Map<String, String> settings =
                STORE.connected(Map.of("name", "counted", "delivery.guarantee", "exactly_once"), SERIALIZABLE);
        List<Callable<Map<Long, RefusedException>>> tasks = new ArrayList<>();
        for (int task = 0; task < TASKS; task++) {
            TopicPartition partition = new TopicPartition("readings", task);
            tasks.add(() -> {
                Map<Long, RefusedException> refused = new HashMap<>();
                for (int round = 0; round < ROUNDS; round++) {
                    Progress assignment = new Progress(partition, 1);
                    List<Document> documents = new ArrayList<>();
                    for (int offset = round * KEYS; offset < (round + 2) * KEYS; offset++) { // half of them again
                        documents.add(Documents.append(
                                assignment, offset, "counted", "\"" + partition + "@" + offset + "\""));
                    }
                    refused.putAll(DeliveredDocuments.refusals(settings, documents));
                }
                return refused;
            });
        }

        assertNoneRefused(THREADS.invokeAll(tasks));
        int expected = TASKS * (ROUNDS + 1) * KEYS;
        assertThat(STORE.column("SELECT count(*) || ' ' || count(DISTINCT doc) FROM counted"))
                .containsExactly(expected + " " + expected);
    }

    private static void createOffsets() {
        STORE.execute(
                "CREATE TABLE IF NOT EXISTS tidegate_offsets (connector text, topic text, partition integer,"
                        + " next_offset bigint NOT NULL, generation bigint NOT NULL, record_offset bigint, record_timestamp bigint, record_hash bigint, record_rules bigint, PRIMARY KEY (connector, topic, partition))");
    }

    /** The row of a statement that was believed lost, for example. The table is free, and no attempt counts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void lockedOffsetsAreNotTakenForALockedTable(int tables) throws Exception {
        createOffsets();
        String name = "free" + tables;
        Progress assignment = new Progress(new TopicPartition(name, 0), 1);
        List<Document> first = new ArrayList<>();
        List<Document> second = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            STORE.execute("CREATE TABLE " + name + table + " (doc jsonb)");
            first.add(Documents.append(assignment, table, name + table, "1"));
            second.add(Documents.append(assignment, tables + table, name + table, "2"));
        }
        Map<String, String> settings = STORE.connected(Map.of("name", name, "delivery.guarantee", "exactly_once"));
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0);
                Connection other = SERVER.connect();
                Statement statement = other.createStatement()) {
            Documents.claim(writer, first);
            assertThat(writer.write(first)).isEmpty();
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM tidegate_offsets WHERE connector = '" + name + "' FOR UPDATE");

            assertThatThrownBy(() -> writer.write(second)).isInstanceOfSatisfying(WriteException.class, e -> {
                assertThat(e.failure()).isEqualTo(Failure.BUSY);
                assertThat(e.destinations()).isEmpty();
                assertThat(e.unwritten()).isEqualTo(second);
            });

            other.rollback();
            assertThat(writer.write(second)).isEmpty();
            assertThat(STORE.count(name + 0)).isEqualTo(2);
        }
    }
}
