package io.tidegate.connect.jsonb;

import static io.tidegate.connect.jsonb.SinkCluster.SOON;
import static io.tidegate.connect.jsonb.SinkCluster.logOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of a task that takes no rows for a while, and the others. One lane writes to all of them. */
final class LockedTableIT {
    private static final int TABLES = 5;
    private static final int RECORDS = 300; // of each table: more than a task may hold
    private static final String TEXT = "x".repeat(4_000);
    private static final SinkCluster CLUSTER =
            new SinkCluster(PostgresServer.builder().fastStart().build());

    @BeforeAll
    static void start() {
        CLUSTER.start(1);
    }

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @AfterEach
    void deletesItsConnectors() {
        CLUSTER.rest().list().forEach(CLUSTER.rest()::delete);
    }

    private static List<String> topics(String prefix) {
        List<String> topics =
                IntStream.range(0, TABLES).mapToObj(n -> prefix + "-" + n).toList();
        CLUSTER.create(topics, 1);
        return topics;
    }

    private static void startSink(String name, List<String> topics, Map<String, String> settings) {
        CLUSTER.putConfig(name, String.join(",", topics), 1, settings);
        ConnectRest.ConnectorStatus unused = CLUSTER.rest().awaitRunning(name, 1, SOON);
    }

    private static void send(List<String> topics) {
        try (Records records = CLUSTER.newRecords()) {
            records.sendAll(
                    topics.stream().flatMap(topic -> IntStream.range(0, RECORDS).mapToObj(n -> record(topic, n))));
        }
    }

    private static ProducerRecord<String, String> record(String topic, int n) {
        return new ProducerRecord<>(topic, Integer.toString(n), "{\"n\":" + n + ",\"text\":\"" + TEXT + "\"}");
    }

    private static Map<String, String> settings(String guarantee, String more) {
        Map<String, String> settings = Props.of("max.in.flight.requests=1 buffer.max.bytes=1048576 " + more);
        settings.put("delivery.guarantee", guarantee);
        return settings;
    }

    private static void lock(Connection session, String table, String mode) throws SQLException {
        session.setAutoCommit(false);
        boolean unused = session.createStatement().execute("LOCK TABLE \"" + table + "\" IN " + mode + " MODE");
    }

    @ParameterizedTest
    @CsvSource({"at_least_once, ACCESS EXCLUSIVE", "exactly_once, ACCESS EXCLUSIVE", "exactly_once, SHARE"})
    void holdsUpItsOwnRowsOnly(String guarantee, String mode) throws SQLException {
        String name = (guarantee + "-" + mode.charAt(0)).replace('_', '-');
        List<String> topics = topics(name);
        String locked = topics.get(3);
        startSink(name, topics, settings(guarantee, ""));
        try (Connection session = CLUSTER.server().connect()) {
            lock(session, locked, mode);
            send(topics);

            topics.stream().filter(topic -> !topic.equals(locked)).forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
            await().atMost(SOON).untilAsserted(() -> assertThat(logOf(CLUSTER.worker(0)))
                    .containsPattern("accepts no writes to \"" + locked + "\".* process \\d+ .* holds "));
            session.rollback();
        }

        topics.forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        CLUSTER.assertNoTaskFailed(name, 1);
    }

    /** The same key is in a transaction of somebody else. */
    @Test
    void aLockedRowHoldsUpItsTableOnly() throws SQLException {
        List<String> topics = topics("row");
        String locked = topics.get(3);
        topics.forEach(topic -> CLUSTER.store()
                .execute("DROP TABLE \"" + topic + "\"; CREATE TABLE \"" + topic
                        + "\" (id text PRIMARY KEY, doc jsonb NOT NULL)"));
        startSink("row", topics, settings("exactly_once", "pk.mode=record_key pk.fields=id insert.mode=upsert"));
        try (Connection session = CLUSTER.server().connect()) {
            session.setAutoCommit(false);
            boolean unused =
                    session.createStatement().execute("INSERT INTO \"" + locked + "\" VALUES ('7', '{}'::jsonb)");
            send(topics);

            topics.stream().filter(topic -> !topic.equals(locked)).forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
            await().atMost(SOON).untilAsserted(() -> assertThat(logOf(CLUSTER.worker(0)))
                    .containsPattern(
                            "accepts no writes to \"" + locked + "\".* process \\d+ .* has changed or locked rows"));
            session.rollback();
        }

        topics.forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        CLUSTER.assertNoTaskFailed("row", 1);
    }

    /** Nothing ends the statement but the sink, or the server by a time limit. */
    @ParameterizedTest
    @CsvSource({"at_least_once, socket", "exactly_once, socket", "exactly_once, statement"})
    void aTableWhoseTriggerHangsHoldsUpItsOwnRowsOnly(String guarantee, String limit) {
        String name = "hang-" + guarantee.charAt(0) + "-" + limit;
        List<String> topics = topics(name);
        String hanging = topics.get(3);
        String function = "\"" + name + "\"";
        CLUSTER.store()
                .execute("CREATE TABLE " + function + " (); INSERT INTO " + function + " DEFAULT VALUES;"
                        + " CREATE FUNCTION " + function + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF EXISTS (SELECT FROM " + function + ") THEN PERFORM pg_sleep(3600); END IF;"
                        + " RETURN NEW; END $$; CREATE TRIGGER hang BEFORE INSERT ON \"" + hanging
                        + "\" FOR EACH ROW EXECUTE FUNCTION " + function + "()");
        String settings = limit.equals("socket")
                ? "socket.timeout.ms=3000"
                : "connection.url=" + CLUSTER.server().jdbcUrl() + "?options=-c%20statement_timeout=2s";
        startSink(name, topics, settings(guarantee, settings));
        send(topics);

        topics.stream().filter(topic -> !topic.equals(hanging)).forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        String reason = limit.equals("socket")
                ? "process \\d+ still ran it, waiting for Timeout PgSleep, and is told to end it"
                : "statement timeout";
        await().atMost(SOON).untilAsserted(() -> assertThat(logOf(CLUSTER.worker(0)))
                .containsPattern("accepts no writes to \"" + hanging + "\".* " + reason));
        CLUSTER.store().execute("DELETE FROM " + function);

        topics.forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        CLUSTER.assertNoTaskFailed(name, 1);
        assertThat(CLUSTER.store()
                        .column("SELECT application_name || ' since ' || query_start || ': ' || query"
                                + " FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
                .isEmpty();
    }

    /** Connectors share a pool: here one connection for two of them. */
    @Test
    void doesNotHoldUpAnotherConnector() throws SQLException {
        List<String> topics = topics("pool");
        List<String> others = topics.subList(1, TABLES);
        startSink("pool-locked", topics.subList(0, 1), settings("exactly_once", "connection.pool.max.size=1"));
        startSink("pool-others", others, settings("exactly_once", "connection.pool.max.size=1"));
        try (Connection session = CLUSTER.server().connect()) {
            lock(session, topics.get(0), "ACCESS EXCLUSIVE");
            send(topics);

            others.forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
            session.rollback();
        }

        CLUSTER.awaitRows(topics.get(0), RECORDS);
        CLUSTER.assertNoTaskFailed("pool-locked", 1);
        CLUSTER.assertNoTaskFailed("pool-others", 1);
    }

    /** The server's answer for a tablespace that is full, which a trigger gives here. */
    @Test
    void aTableOnAFullDiskHoldsUpItsOwnRowsOnly() {
        List<String> topics = topics("disk");
        String full = topics.get(3);
        CLUSTER.store()
                .execute("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
                        + " 'could not extend file' USING ERRCODE = '53100'; END $$; CREATE TRIGGER full_disk"
                        + " BEFORE INSERT ON \"" + full + "\" EXECUTE FUNCTION full_disk()");
        startSink("disk", topics, settings("exactly_once", ""));

        send(topics);
        topics.stream().filter(topic -> !topic.equals(full)).forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        assertThat(CLUSTER.rows(full)).isZero();
        CLUSTER.store().execute("DROP TRIGGER full_disk ON \"" + full + '"');

        CLUSTER.awaitRows(full, RECORDS);
        CLUSTER.assertNoTaskFailed("disk", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once"})
    void aTableThatIsDroppedHoldsUpItsOwnRowsOnlyIfItIsWaitedFor(String guarantee) {
        String name = "dropped-" + guarantee.replace('_', '-');
        List<String> topics = topics(name);
        String dropped = topics.get(3);
        startSink(name, topics, settings(guarantee, "error.overrides=42P01:retry"));
        CLUSTER.store().execute("DROP TABLE \"" + dropped + '"');

        send(topics);
        topics.stream().filter(topic -> !topic.equals(dropped)).forEach(topic -> CLUSTER.awaitRows(topic, RECORDS));
        CLUSTER.store().execute("CREATE TABLE \"" + dropped + "\" (doc jsonb NOT NULL)");

        CLUSTER.awaitRows(dropped, RECORDS);
        CLUSTER.assertNoTaskFailed(name, 1);
    }
}
