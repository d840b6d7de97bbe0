package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.StartedTask;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary that does not answer, with time-outs beyond the patience of a test: only asking the other hosts helps. */
final class PrimaryWatchIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** For longer than this the pool does not take a connection for one that works. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final PostgresServer old = PostgresServer.builder().fastStart().build();
    private final PostgresServer standby = old.standby();

    @BeforeEach
    void start() {
        old.start();
        PostgresStore store = new PostgresStore(old);
        store.execute("CREATE TABLE readings (doc jsonb NOT NULL)");
        store.execute("CREATE SEQUENCE attempts");
        store.execute("CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM nextval(''attempts''); PERFORM pg_sleep(12); RETURN NEW; END'");
        standby.start();
    }

    @AfterEach
    void close() {
        standby.close();
        old.close();
    }

    private Map<String, String> props(String name) {
        return new HashMap<>(Map.of(
                "name",
                name,
                "connection.url",
                "jdbc:postgresql://%s:%d,%s:%d/%s"
                        .formatted(old.host(), old.port(), standby.host(), standby.port(), old.database()),
                "connection.user",
                old.user(),
                "connection.password",
                old.password(),
                "table.name.format",
                "readings",
                "connection.timeout.ms",
                "600000",
                "socket.timeout.ms",
                "3600000"));
    }

    private static void awaitRows(PostgresServer server, int rows) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(new PostgresStore(server).column("SELECT count(*) FROM readings"))
                        .containsExactly(Integer.toString(rows)));
    }

    @Test
    void aPromotionEndsStatementsThatTheOldPrimaryDoesNotAnswer() {
        try (StartedTask task = new StartedTask(props("hangs"))) {
            task.put("{\"n\": 1}");
            awaitRows(standby, 1);
            old.pause();
            task.put("{\"n\": 2}");
            standby.promote();
            awaitRows(standby, 2);
            await().atMost(SOON).until(task::isWritten);
        }
    }

    @Test
    void aPromotionEndsAnAttemptToConnectThatTheOldPrimaryDoesNotAnswer() {
        old.pause();
        try (StartedTask task = new StartedTask(props("never-connected"))) {
            task.put("{\"n\": 1}");
            assertThat(task.isWritten()).isFalse();
            standby.promote();
            awaitRows(standby, 1);
            await().atMost(SOON).until(task::isWritten);
        }
    }

    @Test
    void aPromotionBehindOneAddressEndsStatementsThatTheOldPrimaryDoesNotAnswer() {
        try (TcpProxy address = TcpProxy.to(old.host(), old.port());
                StartedTask task = new StartedTask(behind(address, "one-address"))) {
            task.put("{\"n\": 1}");
            awaitRows(standby, 1);
            old.pause();
            task.put("{\"n\": 2}");
            assertThat(task.isWritten()).isFalse();
            standby.promote();
            address.moveTo(standby.host(), standby.port());
            awaitRows(standby, 2);
            await().atMost(SOON).until(task::isWritten);
        }
    }

    /** A connection that has rested is tested before it is used. Then the task waits for a new one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPromotionBehindOneAddressEndsAnAttemptToConnectThatTheOldPrimaryDoesNotAnswer(boolean isFirst) {
        try (TcpProxy address = TcpProxy.to(old.host(), old.port());
                StartedTask task = new StartedTask(behind(address, "one-address-login-" + isFirst))) {
            if (!isFirst) {
                task.put("{\"n\": 1}");
                awaitRows(standby, 1);
                Poll.pause(REST);
            }
            old.pause();
            int before = address.accepted();
            task.put("{\"n\": 2}");
            await().atMost(SOON).until(() -> address.accepted() > before);
            assertThat(task.isWritten()).isFalse();
            standby.promote();
            address.moveTo(standby.host(), standby.port());
            awaitRows(standby, isFirst ? 1 : 2);
            await().atMost(SOON).until(task::isWritten);
        }
    }

    @Test
    void aRestartBehindOneAddressEndsStatementsThatNobodyAnswersAnyMore() {
        try (TcpProxy address = TcpProxy.to(old.host(), old.port());
                StartedTask task = new StartedTask(behind(address, "restarted"))) {
            task.put("{\"n\": 1}");
            awaitRows(old, 1);
            address.strand();
            task.put("{\"n\": 2}");
            assertThat(task.isWritten()).isFalse();
            old.stop();
            old.start();
            awaitRows(old, 2);
            await().atMost(SOON).until(task::isWritten);
        }
    }

    private Map<String, String> behind(TcpProxy address, String name) {
        Map<String, String> props = props(name);
        props.put(
                "connection.url",
                "jdbc:postgresql://%s:%d/%s".formatted(address.host(), address.port(), old.database()));
        return props;
    }

    @Test
    void aSlowPrimaryBehindOneAddressKeepsItsStatement() {
        try (TcpProxy address = TcpProxy.to(old.host(), old.port())) {
            assertSlowStatementIsKept(behind(address, "slow-behind-one-address"));
        }
    }

    @Test
    void aSlowPrimaryKeepsItsStatement() {
        assertSlowStatementIsKept(props("slow"));
    }

    private void assertSlowStatementIsKept(Map<String, String> props) {
        PostgresStore store = new PostgresStore(old);
        store.execute("CREATE TRIGGER sleep BEFORE INSERT ON readings FOR EACH ROW EXECUTE FUNCTION sleep()");
        try (StartedTask task = new StartedTask(props)) {
            task.put("{\"n\": 1}");
            await().atMost(SOON).until(() -> !store.column("SELECT 1 FROM pg_stat_activity WHERE application_name ="
                            + " 'tidegate looks for the primary'")
                    .isEmpty());
            await().atMost(SOON).until(task::isWritten);
        }
        assertThat(store.column("SELECT last_value FROM attempts")).containsExactly("1");
        awaitRows(old, 1);
    }
}
