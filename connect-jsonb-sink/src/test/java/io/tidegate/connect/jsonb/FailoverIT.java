package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A primary with a synchronous standby under load; the primary goes away and the standby takes over. Measures seconds from
 * promotion to the first commit on the new primary: {@code -Dfailover.rounds=10} for more than one, {@code
 * -Dload.pause.ms=10} for an even load, {@code -Dfailover.outage.ms=5000} for the time that nobody is primary. Exactly once,
 * so every row is counted.
 */
final class FailoverIT {
    private static final int ROUNDS = Integer.getInteger("failover.rounds", 1);
    private static final Duration OUTAGE = Duration.ofMillis(Integer.getInteger("failover.outage.ms", 500));
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int TASKS = 2;
    private static final int RATE = 1_000;

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final String ESTABLISHED = "01";

    private static final SinkCluster CLUSTER = new SinkCluster(newServer());
    private static int round;

    /** How the primary goes, and by which address the sink knows it. */
    private enum Change {
        /** The host goes down. */
        KILLED(PostgresServer::kill, false),
        /** It hangs, and still accepts connections. */
        HUNG(PostgresServer::pause, false),
        /** A planned change: it comes back as a standby of the new primary. */
        SWITCHED_OVER(PostgresServer::stop, true),
        /** The same behind one address, which is moved from the old primary to the new one. */
        MOVED_ADDRESS(PostgresServer::stop, true);

        @SuppressWarnings("ImmutableEnumChecker") // method references without a state
        private final Consumer<PostgresServer> demotion;

        private final boolean comesBack;

        Change(Consumer<PostgresServer> demotion, boolean comesBack) {
            this.demotion = demotion;
            this.comesBack = comesBack;
        }
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
    @EnumSource(Change.class)
    void followsThePrimary(Change change) throws Exception {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            seconds.add(change(change, "failover-" + round++));
        }
        Collections.sort(seconds);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %d |%n",
                change.name().toLowerCase(Locale.ROOT),
                seconds.get(seconds.size() / 2),
                seconds.get(seconds.size() - 1),
                seconds.size());
    }

    @Test
    void staysWithAPrimaryThatAnswersThoughAnotherHostIsPromoted() throws Exception {
        String topic = "split";
        try (PostgresServer old = newServer()) {
            old.start();
            PostgresStore store = new PostgresStore(old);
            CLUSTER.broker().createTopic(topic, 1);
            store.execute("CREATE TABLE split (doc jsonb NOT NULL)");
            try (PostgresServer standby = old.standby();
                    TcpProxy address = TcpProxy.to(old.host(), old.port());
                    Records records = CLUSTER.newRecords()) {
                standby.start();
                Map<String, String> config = new HashMap<>(config(Change.HUNG, old, standby, address));
                config.put("delivery.guarantee", "at_least_once");
                CLUSTER.startSink(topic, 1, config);
                records.send(topic, 0, 1);
                await().atMost(SOON).until(() -> store.count(topic) == 1);
                standby.promote();
                try (Connection locking = old.connect();
                        Statement statement = locking.createStatement()) {
                    locking.setAutoCommit(false);
                    statement.execute("LOCK TABLE split IN SHARE MODE");
                    records.send(topic, 1, 2);
                    await().atMost(SOON)
                            .until(() -> !store.column("SELECT 1 FROM pg_stat_activity WHERE application_name ="
                                            + " 'tidegate looks for the primary'")
                                    .isEmpty());
                    await().during(Duration.ofSeconds(3))
                            .atMost(SOON)
                            .until(() -> new PostgresStore(standby).count(topic) == 1);
                    locking.rollback();
                }
                await().atMost(SOON).until(() -> store.count(topic) == 2);
                assertThat(new PostgresStore(standby).count(topic)).isEqualTo(1);
            }
        }
    }

    private static double change(Change change, String topic) throws Exception {
        try (PostgresServer old = newServer()) {
            old.start();
            PostgresStore store = new PostgresStore(old);
            CLUSTER.broker().createTopic(topic, TASKS);
            store.execute("CREATE TABLE \"" + topic + "\" (doc jsonb NOT NULL)");
            store.execute(SinkCluster.OFFSETS_TABLE);
            try (PostgresServer standby = old.standby();
                    TcpProxy address = TcpProxy.to(old.host(), old.port())) {
                standby.start();
                old.replicateSynchronously(standby);
                CLUSTER.putConfig(topic, topic, TASKS, config(change, old, standby, address));
                CLUSTER.rest().awaitRunning(topic, TASKS, SOON);
                return fail(change, topic, old, standby, address);
            }
        }
    }

    private static double fail(
            Change change, String topic, PostgresServer old, PostgresServer standby, TcpProxy address)
            throws Exception {
        try (Load load = new Load(CLUSTER, topic, RATE)) {
            PostgresStore before = new PostgresStore(old);
            await().atMost(SOON).until(() -> before.count(topic) > 0);
            before.disconnect();
            change.demotion.accept(old);
            pass(OUTAGE);
            standby.promote();
            address.moveTo(standby.host(), standby.port());
            address.cut();
            double seconds = secondsUntilFirstCommit(standby, topic);
            if (change.comesBack) {
                old.follow(standby);
                old.start();
            }
            pass(OUTAGE);
            long sent = load.stop();

            assertComplete(topic, standby, sent);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(connectionsTo(old)).isZero());
            return seconds;
        }
    }

    private static double secondsUntilFirstCommit(PostgresServer standby, String topic) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = standby.connect()) {
            int before = PostgresStore.rows(connection, topic);
            await().atMost(SOON)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> PostgresStore.rows(connection, topic) > before);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static void assertComplete(String topic, PostgresServer primary, long sent) {
        PostgresStore store = new PostgresStore(primary);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(store.countDistinct(topic)).isEqualTo(sent));
        assertThat(store.count(topic)).isEqualTo(sent);
        CLUSTER.assertNoTaskFailed(topic, TASKS);
    }

    /** The sink's address of old and new primary: whichever is right comes last. */
    private static Map<String, String> config(
            Change change, PostgresServer old, PostgresServer standby, TcpProxy address) {
        String hosts = change == Change.MOVED_ADDRESS
                ? address.host() + ":" + address.port()
                : old.host() + ":" + old.port() + "," + standby.host() + ":" + standby.port();
        Map<String, String> config = new HashMap<>(Map.of(
                "connection.url",
                "jdbc:postgresql://" + hosts + "/" + old.database(),
                "connection.password",
                old.password(),
                "delivery.guarantee",
                "exactly_once"));
        if (change == Change.HUNG) { // beyond the test's patience: they must not be needed
            config.put("socket.timeout.ms", "3600000");
            config.put("connection.timeout.ms", "600000");
        }
        return config;
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plus(SOON)).until(() -> true);
    }

    /** This machine's open connections to a server's port, its own side not counted; see proc(5), {@code /proc/net/tcp}. */
    private static long connectionsTo(PostgresServer server) throws IOException {
        String port = String.format(Locale.ROOT, ":%04X", server.port());
        long connections = 0;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            if (Files.exists(Path.of(table))) {
                try (Stream<String> lines = Files.lines(Path.of(table))) {
                    connections += lines.map(line -> line.strip().split(" +"))
                            .filter(field -> field[REMOTE].endsWith(port) && field[STATE].equals(ESTABLISHED))
                            .count();
                }
            }
        }
        return connections;
    }
}
