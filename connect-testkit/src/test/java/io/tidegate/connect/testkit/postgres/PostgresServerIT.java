package io.tidegate.connect.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class PostgresServerIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void keepsDataThroughKillAndRestart() throws Exception {
        try (PostgresServer server = PostgresServer.builder().maxConnections(17).build()) {
            server.start();
            assertThat(query(server, "SHOW max_connections")).isEqualTo("17");
            assertThat(query(server, "SHOW fsync")).isEqualTo("on");
            execute(server, "CREATE TABLE tide AS SELECT '{\"level\": 1}'::jsonb AS document");

            long before = server.pid();
            server.kill();
            server.start();
            assertThat(server.pid()).isNotEqualTo(before);
            assertThat(query(server, "SELECT document ->> 'level' FROM tide")).isEqualTo("1");
            server.restart();
            assertThat(query(server, "SELECT count(*) FROM tide")).isEqualTo("1");

            server.close();
            server.start(); // The server is new.
            assertThat(query(server, "SELECT to_regclass('tide') IS NULL")).isEqualTo("t");
        }
    }

    @Test
    void countsTheCpuTimeOfConnectionsThatAreClosed() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            query(server, "SELECT sum(sqrt(n)) FROM generate_series(1, 3000000) AS n");
            Awaitility.await().atMost(SOON).until(() -> server.cpuTime().toMillis() >= 100);
            server.stop();
            assertThat(server.cpuTime()).isZero();
        }
    }

    @Test
    void provesItsNameWithACertificateAndAsksForAPassword() throws Exception {
        try (PostgresServer server =
                        PostgresServer.builder().fastStart().withTls().build();
                PostgresServer other =
                        PostgresServer.builder().fastStart().withTls().build()) {
            server.start();
            assertThat(verified(server, server.caCertificate())).isEqualTo("t");
            assertThatThrownBy(() -> verified(server, other.caCertificate())).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "wrong"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
        }
    }

    @Test
    void aFastServerHasNoTlsAndNoCertificates() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            assertThat(query(server, "SHOW ssl")).isEqualTo("off");
            assertThatThrownBy(server::caCertificate)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("%s has no TLS: build it with withTls()", server);
        }
    }

    private static String verified(PostgresServer server, Path authority) throws SQLException {
        String url = server.jdbcUrl() + "?sslmode=verify-full&sslrootcert=" + authority;
        try (Connection connection = DriverManager.getConnection(url, server.user(), server.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void answersNothingWhilePausedAndGoesOnThen() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                server.pause();
                assertThat(server.isRunning()).isTrue();
                CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> run(statement));
                Awaitility.await().during(Duration.ofMillis(500)).until(() -> !answer.isDone());

                server.resume();
                Awaitility.await().atMost(SOON).until(answer::isDone);
                assertThat(answer).isCompletedWithValue(true);
            }
        }
    }

    @Test
    void aPausedServerCanBeStoppedAndKilled() {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            server.pause();
            server.stop();
            assertThat(server.isRunning()).isFalse();
            server.start();
            server.pause();
            server.kill();
            assertThat(server.isRunning()).isFalse();
        }
    }

    @Test
    void aSynchronousStandbyTakesOverWithEveryCommit() throws Exception {
        try (PostgresServer primary = PostgresServer.builder().fastStart().build()) {
            primary.start();
            execute(primary, "CREATE TABLE tide (level int)");
            try (PostgresServer standby = primary.standby()) {
                standby.start();
                primary.replicateSynchronously(standby);
                execute(primary, "INSERT INTO tide VALUES (7)");
                assertThat(query(standby, "SELECT pg_is_in_recovery()")).isEqualTo("t");

                primary.kill();
                standby.promote();

                assertThat(query(standby, "SELECT level FROM tide")).isEqualTo("7");
                execute(standby, "INSERT INTO tide VALUES (8)");
                standby.restart();
                assertThat(query(standby, "SELECT count(*) FROM tide")).isEqualTo("2");
            }
        }
    }

    @Test
    void saysWithItsLogWhyItDoesNotStart() {
        try (PostgresServer server =
                PostgresServer.builder().setting("shared_buffers", "lots").build()) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("exited with code 1 while it started")
                    .hasMessageContaining("invalid value for parameter \"shared_buffers\"");
        }
    }

    private static boolean run(Statement statement) {
        try {
            return statement.execute("SELECT 1");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
