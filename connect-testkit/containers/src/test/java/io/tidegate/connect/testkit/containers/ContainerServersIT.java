package io.tidegate.connect.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import io.tidegate.connect.testkit.Servers;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.scenarios.Skip;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** Checks what a test can do to a container, and that no container is left. Skipped without a Docker engine. */
final class ContainerServersIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    private final Servers servers = new ContainerServers();
    private final Postgres postgres = servers.postgres();

    @BeforeEach
    void skipWithoutEngineOrImages() {
        servers.obstacle().ifPresent(obstacle -> Skip.loudly(getClass(), obstacle));
    }

    @AfterEach
    void close() {
        postgres.close();
        servers.close();
    }

    /** The pull is tried once, because Testcontainers would retry for minutes at each start. */
    @Test
    void aMissingImageIsAnObstacleThatSaysHowToMakeIt() {
        DockerImageName missing = DockerImageName.parse("tidegate/nowhere:1");

        assertThat(Images.obstacle(missing)).hasValueSatisfying(obstacle -> assertThat(obstacle)
                .startsWith("there is no image tidegate/nowhere:1 and no stand-in for it (docker/build-images makes"
                        + " one), and the pull failed: "));
        assertThat(Images.obstacle(missing)).isSameAs(Images.obstacle(missing));
    }

    @Test
    void aKilledServerComesBackWithItsDataAtItsAddress() throws SQLException {
        postgres.start();
        String url = postgres.jdbcUrl();
        execute("CREATE TABLE kept (n int)");

        postgres.kill();
        assertThat(postgres.isRunning()).isFalse();
        assertThatThrownBy(postgres::connect).isInstanceOf(SQLException.class);
        postgres.start();

        assertThat(postgres.jdbcUrl()).isEqualTo(url);
        assertThat(count("kept")).isZero();
        assertThat(postgres.pid()).isPositive();
        assertThat(postgres.cpuTime()).isPositive();
    }

    @Test
    void aPausedServerRunsButDoesNotRespond() throws SQLException {
        postgres.start();
        try (Connection connection = postgres.connect()) {
            postgres.pause();
            assertThat(postgres.isRunning()).isTrue();
            assertThat(connection.isValid(1)).isFalse();
        } finally {
            postgres.resume();
        }
        assertThat(count("pg_database")).isPositive();
    }

    @Test
    void theLogHoldsWhatTheServerWrote() {
        postgres.start();
        await().atMost(SOON).untilAsserted(() -> assertThat(Files.readString(postgres.log()))
                .contains("database system is ready to accept connections"));
    }

    @Test
    void thePropertyChoosesPostgresMajorVersion() throws SQLException {
        String before = System.getProperty(Postgres.MAJOR, "");
        System.setProperty(Postgres.MAJOR, "13");
        try (Servers others = new ContainerServers();
                Postgres oldest = others.postgres()) {
            others.obstacle().ifPresent(obstacle -> Skip.loudly(getClass(), obstacle));
            oldest.start();
            try (Connection connection = oldest.connect()) {
                assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(13);
            }
        } finally {
            restore(before);
        }
    }

    private static void restore(String major) {
        if (major.isEmpty()) {
            System.clearProperty(Postgres.MAJOR);
        } else {
            System.setProperty(Postgres.MAJOR, major);
        }
    }

    @Test
    void nothingIsLeftOfClosedServers() {
        List<String> volumes;
        try (Servers others = new ContainerServers();
                Postgres other = others.postgres()) {
            other.start();
            volumes = volumes(Reaper.SESSION);
            assertThat(volumes).isNotEmpty();
        }

        assertThat(left(Reaper.SESSION)).isEmpty();
        assertThat(volumes()).doesNotContainAnyElementsOf(volumes);
    }

    /** Containers and networks have a label with the session of the JVM that created them. */
    @Test
    void nothingIsLeftOfAKilledJvm() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            String session = out.readLine();
            assertThat(session).isNotNull();
            assertThat(left(session)).hasSize(3);
            List<String> volumes = volumes(session);
            assertThat(volumes).isNotEmpty();

            jvm.destroyForcibly();
            await().atMost(SOON).untilAsserted(() -> assertThat(left(session)).isEmpty());
            assertThat(volumes()).doesNotContainAnyElementsOf(volumes);
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static List<String> left(String session) {
        DockerClient client = DockerClientFactory.lazyClient();
        return Stream.concat(
                        client
                                .listContainersCmd()
                                .withShowAll(true)
                                .withLabelFilter(Map.of(Reaper.LABEL, session))
                                .exec()
                                .stream()
                                .map(container -> String.join(",", container.getNames())),
                        client
                                .listNetworksCmd()
                                .withFilter("label", List.of(Reaper.LABEL + "=" + session))
                                .exec()
                                .stream()
                                .map(network -> network.getName()))
                .toList();
    }

    /** The volumes of the session's containers. Volumes have no such label. */
    private static List<String> volumes(String session) {
        DockerClient client = DockerClientFactory.lazyClient();
        return client
                .listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(Reaper.LABEL, session))
                .exec()
                .stream()
                .flatMap(container -> container.getMounts().stream())
                .map(mount -> String.valueOf(mount.getName()))
                .toList();
    }

    /** All volumes of the engine. */
    private static List<String> volumes() {
        return DockerClientFactory.lazyClient().listVolumesCmd().exec().getVolumes().stream()
                .map(volume -> volume.getName())
                .toList();
    }

    /** Starts a database, prints the session and waits to be killed. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws IOException {
            Servers servers = new ContainerServers();
            servers.postgres().start();
            System.out.println(Reaper.SESSION);
            System.out.flush();
            System.in.read();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int count(String table) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
