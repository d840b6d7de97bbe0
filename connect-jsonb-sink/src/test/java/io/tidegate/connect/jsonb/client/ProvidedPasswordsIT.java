package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.StartedTask;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.ServerLogin;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;

/** Passwords of a credentials provider that change while a task runs, on a real server. */
final class ProvidedPasswordsIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);

    /** The driver takes it for a standby, because its sessions are read-only. */
    private static final PostgresServer STANDBY =
            PostgresServer.builder().fastStart().build();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        SERVER.start();
        STORE.execute("CREATE ROLE rotated LOGIN SUPERUSER");
        STANDBY.start();
        PostgresStore standby = new PostgresStore(STANDBY);
        standby.execute("CREATE ROLE rotated LOGIN PASSWORD 'of the file'");
        standby.execute("ALTER ROLE rotated SET default_transaction_read_only = on");
    }

    @AfterAll
    static void close() {
        SERVER.close();
        STANDBY.close();
    }

    @BeforeEach
    void recreate() {
        STORE.execute("DROP TABLE IF EXISTS readings");
        STORE.execute("CREATE TABLE readings (doc jsonb)");
    }

    private Map<String, String> props(String name, String hosts) {
        Map<String, String> props = new HashMap<>(
                Props.of(
                        "topics=readings insert.mode=insert pk.mode=none"
                                + " connection.pool.max.size=1 connection.pool.wait.ms=500 retry.backoff.ms=50 retry.backoff.max.ms=200"));
        props.put("name", name);
        props.put("connection.url", "jdbc:postgresql://" + hosts + "/postgres");
        props.put("connection.user", "rotated");
        props.put("connection.credentials.provider", "file");
        props.put("connection.credentials.file.path", file().toString());
        return props;
    }

    private static String hostAndPort() {
        return hostAndPort(SERVER);
    }

    private static String hostAndPort(PostgresServer server) {
        return server.jdbcUrl().replaceAll("jdbc:postgresql://([^/]+)/.*", "$1");
    }

    private Path file() {
        return folder.resolve("password");
    }

    /** As those who rotate secrets replace a file: at once. */
    private void write(String password) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), password + "\n");
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void alter(String password) {
        STORE.execute("ALTER ROLE rotated PASSWORD '" + password + "'");
        STORE.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'");
    }

    private static void awaitWritten(StartedTask task) {
        await().atMost(SOON).until(() -> {
            task.poll();
            return task.isWritten();
        });
    }

    @Test
    void aPasswordThatIsRotatedWhileTheTaskRunsLosesNothing() throws Exception {
        alter("first");
        write("first");
        try (StartedTask task = new StartedTask(props("rotated", hostAndPort()))) {
            task.put("{\"n\": 1}");
            awaitWritten(task);

            alter("second"); // the server knows it first, and all sessions have ended
            task.put("{\"n\": 2}");
            await().during(Duration.ofSeconds(2)).atMost(SOON).until(() -> {
                task.poll(); // throws if the task fails
                return !task.isWritten();
            });
            write("second");
            awaitWritten(task);

            write("third"); // the file has it first, and the open session stays
            task.put("{\"n\": 3}");
            awaitWritten(task);
            alter("third");
            task.put("{\"n\": 4}");
            awaitWritten(task);
        }
        assertThat(STORE.column("SELECT DISTINCT doc->>'n' AS n FROM readings ORDER BY n"))
                .containsExactly("1", "2", "3", "4");
    }

    @Test
    void aFileThatIsWrittenLateIsWaitedFor() throws Exception {
        alter("late");
        try (StartedTask task = new StartedTask(props("late", hostAndPort()))) {
            task.put("{\"n\": 1}");
            await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> {
                task.poll();
                return !task.isWritten();
            });
            write("late");
            awaitWritten(task);
        }
    }

    @Test
    void findsThePrimaryAmongHostsOfWhichOneDoesNotAnswer() throws Exception {
        alter("hosts");
        write("hosts");
        try (StartedTask task = new StartedTask(props("hosts", "127.0.0.1:1," + hostAndPort()))) {
            task.put("{\"n\": 1}");
            awaitWritten(task);
        }
    }

    /** Or nobody learns that the password is wrong. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStandbyDoesNotHideThatThePrimaryRefusesTheLogin(boolean primaryFirst) throws Exception {
        alter("another");
        write("of the file");
        String hosts =
                primaryFirst ? hostAndPort() + "," + hostAndPort(STANDBY) : hostAndPort(STANDBY) + "," + hostAndPort();
        ServerLogin login = ConnectionSettings.from(
                        new AbstractConfig(ConnectionSettings.define(new ConfigDef()), props("refused", hosts)))
                .login();
        Source source = new Source();
        login.apply(source);
        source.setTargetServerType("primary");
        source.isShared = true;

        try (ProvidedPasswords passwords = ProvidedPasswords.of(login)) {
            SQLException refused = catchThrowableOfType(SQLException.class, () -> passwords.open(source));

            assertThat(refused.getSQLState()).isEqualTo("28P01");
            assertThat(refused.getSuppressed()).singleElement().asString().contains("targetServerType: primary");
        }
    }

    /** Other threads read its hosts. */
    private static final class Source extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;

        private boolean isShared;

        @Override
        public void setServerNames(String[] names) {
            assertThat(isShared).isFalse();
            super.setServerNames(names);
        }
    }

    /** As the libraries of clouds have one. */
    public static final class Plugin implements AuthenticationPlugin {
        @Override
        public char[] getPassword(AuthenticationRequestType type) {
            return "of a plugin".toCharArray();
        }
    }

    @Test
    void theDriversOwnPluginMayGiveThePassword() throws Exception {
        alter("of a plugin");
        Map<String, String> props = props("plugin", hostAndPort());
        props.remove("connection.credentials.provider");
        props.merge("connection.url", "?authenticationPluginClassName=" + Plugin.class.getName(), String::concat);
        try (StartedTask task = new StartedTask(props)) {
            task.put("{\"n\": 1}");
            awaitWritten(task);
        }
    }

    @Test
    void theSettingsAreOneOrTheOther() {
        Map<String, String> props = props("both", hostAndPort());
        props.put("connection.password", "hunter2");
        assertThat(new PostgresTargetType().validate(props))
                .anySatisfy(problem -> assertThat(problem.key()).isEqualTo("connection.password"));
    }
}
