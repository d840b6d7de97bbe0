package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.jsonb.JsonbSinkConnector;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.StartedTask;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connections of one worker, counted on the server: shared, bounded, and all gone in the end. */
final class ConnectionPoolIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().withTls().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() {
        SERVER.start();
        STORE.execute("CREATE TABLE readings (doc jsonb NOT NULL)");
        STORE.execute("CREATE TABLE slow (doc jsonb NOT NULL)");
        STORE.execute("CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END'");
        STORE.execute("CREATE TRIGGER sleep BEFORE INSERT ON slow FOR EACH ROW EXECUTE FUNCTION sleep()");
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @AfterEach
    void nothingIsLeftBehind() {
        awaitSessions(0);
    }

    private static Map<String, String> props(Map<String, String> settings) {
        Map<String, String> props = new HashMap<>(Map.of(
                "name", "readings",
                "connection.url", SERVER.jdbcUrl(),
                "connection.user", SERVER.user(),
                "connection.password", SERVER.password(),
                "retry.backoff.max.ms", "200"));
        props.putAll(settings);
        return props;
    }

    private static PoolLease join(Map<String, String> settings) {
        return new PoolLease(
                ConnectionSettings.from(new AbstractConfig(new JsonbSinkConnector().config(), props(settings), false)));
    }

    private static void awaitSessions(int sessions) {
        await().atMost(SOON).untilAsserted(() -> assertThat(
                        STORE.column("SELECT application_name || ' ' || state || ' ' || query FROM pg_stat_activity"
                                + " WHERE application_name LIKE 'tidegate%'"))
                .hasSize(sessions));
    }

    private static List<Connection> borrow(PoolLease share, int count) throws SQLException {
        List<Connection> borrowed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            borrowed.add(share.borrow());
        }
        return borrowed;
    }

    private static void giveBack(List<Connection> borrowed) throws SQLException {
        for (Connection connection : borrowed) {
            connection.close();
        }
    }

    @Test
    void eachSetOfLimitsHasItsPool() throws SQLException {
        try (PoolLease small = join(Map.of("connection.pool.wait.ms", "2000", "connection.pool.max.size", "1"));
                PoolLease same = join(Map.of("connection.pool.wait.ms", "2000", "connection.pool.max.size", "1"));
                PoolLease large = join(Map.of("connection.pool.wait.ms", "2000", "connection.pool.max.size", "2"))) {
            List<Connection> borrowed = borrow(small, 1);
            borrowed.addAll(borrow(large, 2));
            assertThatThrownBy(same::borrow)
                    .hasMessageContaining("Connection is not available")
                    .hasMessageContaining("total=1, active=1, idle=0");
            assertThatThrownBy(large::borrow).hasMessageContaining("total=2, active=2, idle=0");
            giveBack(borrowed);
            awaitSessions(3);
        }
    }

    @Test
    void sessionsAreNamedAfterTheConnectorThatUsesThem() throws SQLException {
        String worker = "@.*\\[" + ProcessHandle.current().pid() + "]";
        try (PoolLease orders = join(Map.of("name", "orders"));
                PoolLease events = join(Map.of("name", "events"))) {
            assertThat(nameOfSession(orders)).matches("tidegate orders" + worker);
            assertThat(nameOfSession(events)).matches("tidegate events" + worker);
            assertThat(nameOfSession(orders)).matches("tidegate orders" + worker);
            awaitSessions(1);
        }
    }

    @Test
    void eachSessionHasTheTimeOutOfItsConnector() throws SQLException {
        try (PoolLease brief = join(Map.of("socket.timeout.ms", "7000"));
                PoolLease longer = join(Map.of("socket.timeout.ms", "9000"));
                Connection first = brief.borrow();
                Connection second = brief.borrow();
                Connection other = longer.borrow()) {
            assertThat(first.getNetworkTimeout()).isEqualTo(7_000);
            assertThat(second.getNetworkTimeout()).isEqualTo(7_000);
            assertThat(other.getNetworkTimeout()).isEqualTo(9_000);
        }
    }

    private static String nameOfSession(PoolLease share) throws SQLException {
        try (Connection connection = share.borrow()) {
            share.name(connection);
            return show(connection, "application_name");
        }
    }

    @Test
    void everyConnectorHasTheDurabilityThatItAsksFor() throws SQLException {
        try (PoolLease server = join(Map.of());
                PoolLease local = join(Map.of("commit.durability", "local"));
                PoolLease off = join(Map.of("commit.durability", "off"));
                Connection ofServer = server.borrow();
                Connection ofLocal = local.borrow();
                Connection ofOff = off.borrow()) {
            assertThat(show(ofServer, "synchronous_commit")).isEqualTo("on");
            assertThat(show(ofLocal, "synchronous_commit")).isEqualTo("local");
            assertThat(show(ofOff, "synchronous_commit")).isEqualTo("off");
        }
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + setting)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void theServerNoticesAWorkerThatVanished() throws SQLException {
        try (PoolLease share = join(Map.of());
                Connection connection = share.borrow()) {
            assertThat(show(connection, "tcp_keepalives_idle")).isEqualTo("30");
            assertThat(show(connection, "tcp_keepalives_interval")).isEqualTo("10");
            assertThat(show(connection, "tcp_keepalives_count")).isEqualTo("3");
            assertThat(show(connection, "client_connection_check_interval")).isEqualTo("10s");
            assertThat(show(connection, "lock_timeout")).isEqualTo("2s");
        }
    }

    /**
     * Eight connectors side by side, each with its own login and so a pool that ends with every stop: {@code
     * -Dpool.restarts=125} makes the long run.
     */
    @Test
    void manyStartsAndStopsLeaveNoConnection() {
        int connectors = 8;
        int restarts = Integer.getInteger("pool.restarts", 25);
        List<CompletableFuture<Void>> running = IntStream.range(0, connectors)
                .mapToObj(connector -> CompletableFuture.runAsync(() -> restart(connector, restarts), THREADS))
                .toList();
        running.forEach(CompletableFuture::join);

        assertThat(STORE.column("SELECT count(*) FROM readings WHERE doc ? 'restart'"))
                .containsExactly(Integer.toString(connectors * restarts));
    }

    private static void restart(int connector, int times) {
        Map<String, String> props =
                props(Map.of("connection.url", SERVER.jdbcUrl() + "?connectTimeout=" + (10 + connector)));
        for (int i = 0; i < times; i++) {
            try (StartedTask task = new StartedTask(props)) {
                task.put("{\"restart\": " + i + "}");
                await().atMost(SOON).until(task::isWritten);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "connection.password, wrong, 10000, 28P01",
        "connection.url, jdbc:postgresql://127.0.0.1:1/none, 250, retry.timeout.ms=100",
        "table.name.format, nowhere, 10000, 42P01"
    })
    void aTaskThatCannotWriteLeavesNoConnection(String key, String value, String wait, String said) {
        Map<String, String> wrong = Map.of(key, value, "connection.pool.wait.ms", wait, "retry.timeout.ms", "100");
        for (int i = 0; i < 3; i++) {
            try (StartedTask task = new StartedTask(props(wrong))) {
                task.put("{}");
                await().atMost(SOON).pollInterval(Duration.ofMillis(10)).untilAsserted(() -> assertThatThrownBy(
                                task::poll)
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining(said));
            }
        }
    }

    @Test
    void aHungStatementEndsWithItsTask() {
        try (StartedTask task =
                new StartedTask(props(Map.of("table.name.format", "slow", "close.timeout.ms", "100")))) {
            task.put("{}");
            await().atMost(SOON).until(() -> !STORE.column("SELECT 1 FROM pg_stat_activity"
                            + " WHERE application_name LIKE 'tidegate%' AND wait_event = 'PgSleep'")
                    .isEmpty());
        }
        assertThat(STORE.column("SELECT count(*) FROM slow")).containsExactly("0");
    }

    @Test
    void cancellingOneBatchLeavesTheConnectionsOfTheOthers() throws SQLException {
        try (PoolLease share = join(Map.of("connection.pool.max.size", "2"));
                Connection used = share.borrow()) {
            AbortableConnection asleep = new AbortableConnection(share);
            AbortableConnection waiting = new AbortableConnection(share);
            CompletableFuture<SQLException> cut = CompletableFuture.supplyAsync(() -> failure(asleep), THREADS);
            await().atMost(SOON)
                    .until(() -> !STORE.column("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                            .isEmpty());
            CompletableFuture<SQLException> neverGiven = CompletableFuture.supplyAsync(() -> failure(waiting), THREADS);
            await().atMost(SOON).until(() -> metric(share, "pool-waiting") == 1);

            waiting.abort();
            assertThat(PostgresFailures.classifyWithoutRows(neverGiven.join())).isEqualTo(Failure.BUSY);
            asleep.abort();
            assertThat(cut.join().getSQLState()).isEqualTo(SqlState.CONNECTION_FAILURE);

            assertThat(metric(share, "pool-evictions-total")).isZero();
        }
    }

    /** The driver throws the error of the last host. */
    @Test
    void theErrorOfThePrimaryIsNotHiddenByThatOfAnotherHost() throws SQLException {
        STORE.execute("CREATE ROLE hidden LOGIN PASSWORD 'hidden' CONNECTION LIMIT 0");
        String hosts = SERVER.host() + ':' + SERVER.port() + ",127.0.0.1:1";
        try (PoolLease share = join(Map.of(
                "connection.url", "jdbc:postgresql://" + hosts + '/' + SERVER.database(),
                "connection.user", "hidden",
                "connection.password", "hidden",
                "connection.pool.wait.ms", "1000"))) {
            assertThatThrownBy(share::borrow)
                    .isInstanceOf(SQLException.class)
                    .cause()
                    .hasMessageContaining("too many connections for role");
        }
    }

    /** The lanes that have a connection write, so the others wait and count no outage. */
    @Test
    void aServerWithFewerConnectionsThanThePoolIsBusy() throws SQLException {
        STORE.execute("CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 1");
        Map<String, String> narrow = Map.of(
                "connection.user", "narrow",
                "connection.password", "narrow",
                "connection.pool.wait.ms", "1000",
                "connection.pool.max.size", "2");
        try (PoolLease share = join(narrow)) {
            try (Connection used = share.borrow()) {
                assertThat(used.isValid(1)).isTrue();
                assertThatThrownBy(share::borrow)
                        .isInstanceOfSatisfying(
                                SQLException.class, e -> assertThat(PostgresFailures.classifyWithoutRows(e))
                                        .isEqualTo(Failure.BUSY))
                        .hasMessageContaining("too many connections for role");
            }
        }
    }

    @Test
    void aConnectionThatCannotBeOpenedIsNotCounted() {
        try (PoolLease share = join(
                Map.of("connection.url", "jdbc:postgresql://127.0.0.1:1/postgres", "connection.pool.wait.ms", "250"))) {
            assertThatThrownBy(share::borrow).isInstanceOf(SQLException.class);
            await().pollDelay(Duration.ofSeconds(2)).atMost(SOON).until(() -> metric(share, "pool-waiting") == 0);
            assertThat(metric(share, "pool-opened-total")).isZero();
        }
    }

    /** The pool itself knows how the idle connection was lost, which says nothing about the server now. */
    @Test
    void anOutageNamesWhyNoConnectionOpensNotHowAnIdleOneWasLost() throws SQLException {
        try (TcpProxy network = TcpProxy.to(SERVER.host(), SERVER.port());
                PoolLease pool = join(Map.of(
                        "connection.url",
                        "jdbc:postgresql://" + network.host() + ":" + network.port() + "/postgres",
                        "connection.pool.wait.ms",
                        "2000"))) {
            pool.borrow().close();
            network.close();

            await().pollDelay(Duration.ofSeconds(1)) // the pool trusts a connection that was just used
                    .atMost(SOON)
                    .untilAsserted(() -> assertThatThrownBy(pool::borrow)
                            .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                                    .isEqualTo("08001")));
        }
    }

    @Test
    void aLaneWithoutATurnInTimeTriesAgainAndTakesNoneAway() throws SQLException {
        Map<String, String> limits = Map.of("connection.pool.max.size", "1", "connection.pool.wait.ms", "3000");
        try (PoolLease share = join(limits)) {
            AbortableConnection first = new AbortableConnection(share);
            AbortableConnection second = new AbortableConnection(share);
            Connection used = first.borrow();

            assertThatThrownBy(second::borrow)
                    .isInstanceOfSatisfying(SQLException.class, e -> assertThat(PostgresFailures.classifyWithoutRows(e))
                            .isEqualTo(Failure.BUSY))
                    .hasMessage("Connection is not available: others used all 1 for 3000 ms");
            second.end();
            assertThat(metric(share, "pool-timeouts-total")).isOne();
            used.close();
            first.end();

            second.borrow().close();
            second.end();
            assertThat(metric(share, "pool-waiting")).isZero();
        }
    }

    @Test
    void aTurnForAConnectionThatCannotBeOpenedIsGivenBack() {
        try (PoolLease share = join(Map.of(
                "connection.url", "jdbc:postgresql://127.0.0.1:1/postgres",
                "connection.pool.max.size", "1",
                "connection.pool.wait.ms", "250"))) {
            AbortableConnection attempt = new AbortableConnection(share);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(attempt::borrow)
                        .isInstanceOf(SQLException.class)
                        .hasMessageNotContaining("others used");
                attempt.end();
            }
        }
    }

    @Test
    void aConnectorDoesNotWaitBehindAllLanesOfAnother() throws Exception {
        try (PoolLease flood = join(Map.of("name", "flood", "connection.pool.max.size", "1"));
                PoolLease other = join(Map.of("name", "other", "connection.pool.max.size", "1"))) {
            List<String> served = Collections.synchronizedList(new ArrayList<>());
            List<CompletableFuture<Void>> lanes = new ArrayList<>();
            AbortableConnection first = new AbortableConnection(flood);
            Connection used = first.borrow();
            for (int i = 1; i <= 5; i++) {
                lanes.add(CompletableFuture.runAsync(() -> serve(flood, "flood", served), THREADS));
            }
            await().atMost(SOON).until(() -> metric(flood, "pool-waiting") == 5);
            lanes.add(CompletableFuture.runAsync(() -> serve(other, "other", served), THREADS));
            await().atMost(SOON).until(() -> metric(flood, "pool-waiting") == 6);

            used.close();
            first.end();

            lanes.forEach(CompletableFuture::join);
            assertThat(served).hasSize(6).startsWith("other");
        }
    }

    private static void serve(PoolLease pool, String user, List<String> served) {
        AbortableConnection attempt = new AbortableConnection(pool);
        try (Connection connection = attempt.borrow()) {
            served.add(user);
            assertThat(connection.isValid(10)).isTrue();
        } catch (SQLException e) {
            throw new AssertionError(e);
        } finally {
            attempt.end();
        }
    }

    private static SQLException failure(AbortableConnection attempt) {
        try (Connection connection = attempt.borrow();
                Statement statement = connection.createStatement()) {
            throw new AssertionError(statement.execute("SELECT pg_sleep(600)"));
        } catch (SQLException e) {
            if (PostgresFailures.endsConnections(e)) {
                attempt.evictAll("as a writer does");
            }
            return e;
        } finally {
            attempt.end();
        }
    }

    private static double metric(PoolLease share, String name) {
        return share.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value()
                .get()
                .doubleValue();
    }

    /** What has left for the kernel's buffers is not what keeps a writer waiting; these documents are larger than those. */
    @Test
    void aDiscardedConnectionIsNotHandedOutAgain() throws SQLException {
        try (PoolLease pool = join(Map.of("connection.pool.max.size", "1"))) {
            for (int i = 0; i < 50; i++) {
                try (Connection discarded = pool.borrow()) {
                    AbortableConnection.discard(discarded);
                }
                try (Connection next = pool.borrow();
                        Statement statement = next.createStatement()) {
                    assertThat(statement.execute("SELECT 1")).isTrue();
                }
            }
        }
    }

    @Test
    void aWriteThatTheNetworkDoesNotTakeEndsInTime() {
        try (TcpProxy network = TcpProxy.to(SERVER.host(), SERVER.port());
                StartedTask task = new StartedTask(props(Map.of(
                        "name", "stalled",
                        "connection.url", "jdbc:postgresql://" + network.host() + ":" + network.port() + "/postgres",
                        "socket.timeout.ms", "2000")))) {
            task.put("{\"n\": 0}");
            await().atMost(SOON).until(task::isWritten);
            network.swallow();
            String large = "x".repeat(7 << 20);
            for (int n = 1; n <= 3; n++) {
                task.put("{\"n\": " + n + ", \"large\": \"" + large + "\"}");
            }
            await().atMost(SOON).until(() -> outageMillis("stalled") > 0);
            network.passOn();
            await().atMost(SOON).until(task::isWritten);
        }
        assertThat(STORE.column("SELECT DISTINCT doc->>'n' FROM readings WHERE doc ? 'large' ORDER BY 1"))
                .containsExactly("1", "2", "3");
    }

    private static double outageMillis(String connector) throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName task = beans.queryNames(new ObjectName("*:connector=" + connector + ",*"), null)
                .iterator()
                .next();
        return ((Number) beans.getAttribute(task, "outage-ms")).doubleValue();
    }

    @Test
    void aTaskStopsThoughTheNetworkSwallowsEverything() {
        try (TcpProxy network = TcpProxy.to(SERVER.host(), SERVER.port())) {
            Map<String, String> props = props(Map.of(
                    "connection.url", "jdbc:postgresql://" + network.host() + ":" + network.port() + "/postgres",
                    "commit.drain.ms", "100",
                    "close.timeout.ms", "100"));
            try (StartedTask task = new StartedTask(props)) {
                task.put("{}");
                await().atMost(SOON).until(task::isWritten);
                network.swallow();
                task.put("{}");
                assertThat(task.isWritten()).isFalse();
            }
            try (StartedTask neverConnected = new StartedTask(props)) {
                neverConnected.put("{}");
                assertThat(neverConnected.isWritten()).isFalse();
            }
            awaitSessions(1); // the server cannot know yet
            network.passOn();
            awaitSessions(0);
        }
    }
}
