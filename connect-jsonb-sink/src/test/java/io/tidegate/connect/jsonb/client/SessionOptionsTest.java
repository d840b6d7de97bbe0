package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.jsonb.settings.CommitDurability;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Against a server that answers the start of a session only, as proxies and platforms do. */
final class SessionOptionsTest {
    private final ServerSocket server;
    private final List<String> startups = new CopyOnWriteArrayList<>();
    private volatile String refusal = "0A000";
    private volatile String message = "no";

    SessionOptionsTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread answering = new Thread(this::answerAll, "stub-postgres");
        answering.setDaemon(true);
        answering.start();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void answerAll() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                String startup = new String(in.readNBytes(in.readInt() - Integer.BYTES), StandardCharsets.UTF_8);
                startups.add(startup);
                byte[] error = ("SFATAL\0VFATAL\0C" + (startup.contains("\0options\0") ? refusal : "28P01") + "\0M"
                                + message + "\0\0")
                        .getBytes(StandardCharsets.UTF_8);
                client.getOutputStream().write('E');
                client.getOutputStream().write(new byte[] {0, 0, 0, (byte) (error.length + Integer.BYTES)});
                client.getOutputStream().write(error);
                client.getOutputStream().flush();
            } catch (IOException e) {
                // The client has gone, or the test is over.
            }
        }
    }

    private void open(String more) throws SQLException {
        options(more, System::nanoTime).open().close();
    }

    private SessionOptions options(String more, LongSupplier nanoTime) {
        ServerLogin login = new ServerLogin(
                "jdbc:postgresql://localhost:" + server.getLocalPort() + "/db?sslmode=disable&gssEncMode=disable"
                        + more,
                "user",
                new Password("secret"),
                CredentialsSettings.ABSENT,
                CommitDurability.SERVER);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(login.url());
        source.setUser(login.user());
        source.setPassword(login.password().value());
        return new SessionOptions(source, login, ProvidedPasswords.of(login), nanoTime);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0A000", "08P01", "22023", "42704", "XX000"})
    void areLeftOutWhereTheyAreRefused(String state) {
        refusal = state;

        assertThatThrownBy(() -> open("")).isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getSQLState())
                .isEqualTo("28P01"));

        assertThat(startups).hasSize(4);
        assertThat(startups.get(0)).contains("client_connection_check_interval", "lock_timeout");
        assertThat(startups.get(1)).contains("lock_timeout").doesNotContain("client_connection_check_interval");
        assertThat(startups.get(2)).contains("tcp_keepalives_idle").doesNotContain("lock_timeout");
        assertThat(startups.get(3)).doesNotContain("options");
    }

    /** PgBouncer has one state for them and for options. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "server login has been failing, cached error: connect failed",
                "query_wait_timeout",
                "pgbouncer cannot connect to server"
            })
    void stayWhileAPoolerDoesNotReachTheServer(String answer) {
        refusal = "08P01";
        message = answer;

        assertThatThrownBy(() -> open("")).isInstanceOf(SQLException.class);

        assertThat(startups).hasSize(1);
    }

    @Test
    void stayWhereTheRoleMayNotConnect() {
        refusal = "42501";

        assertThatThrownBy(() -> open("")).isInstanceOf(SQLException.class);

        assertThat(startups).hasSize(1);
    }

    /** A server that starts may answer so for a moment. */
    @Test
    void areTriedAgainLater() {
        AtomicLong now = new AtomicLong();
        SessionOptions options = options("", now::get);
        List<Integer> minutes = new ArrayList<>();
        for (int minute = 0; minute < 8; minute++) {
            startups.clear();
            assertThatThrownBy(options::open).isInstanceOf(SQLException.class);
            if (startups.get(0).contains("lock_timeout")) {
                minutes.add(minute);
            }
            now.addAndGet(Duration.ofMinutes(1).toNanos());
        }

        assertThat(minutes).containsExactly(0, 1, 3, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"28P01", "3D000", "53300", "57P03"})
    void areNotAtFaultForAPasswordADatabaseOrAFullServer(String state) {
        refusal = state;

        assertThatThrownBy(() -> open("")).isInstanceOf(SQLException.class);

        assertThat(startups).hasSize(1);
    }

    @Test
    void ofTheUrlStay() {
        assertThatThrownBy(() -> open("&options=-c%20work_mem=4MB"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));

        assertThat(startups).hasSize(1);
    }
}
