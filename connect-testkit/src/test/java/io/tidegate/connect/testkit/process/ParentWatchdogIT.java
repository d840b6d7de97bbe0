package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a JVM ends in any way, its servers end and their data is deleted. */
final class ParentWatchdogIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** The ways in which the JVM that owns the servers ends. */
    enum End {
        RETURN,
        SIGTERM,
        SIGKILL,
        SIGKILL_WHILE_PAUSED
    }

    @ParameterizedTest
    @EnumSource
    void serversEndWithTheJvmThatStartedThem(End end) throws Exception {
        Process owner = owner(end);
        List<ProcessHandle> servers = new ArrayList<>();
        Path folder;
        try (BufferedReader said = owner.inputReader()) {
            folder = Path.of(said.readLine());
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            servers.add(server);
            servers.addAll(server.descendants().toList());
            assertThat(servers).hasSizeGreaterThan(3).allMatch(ProcessHandle::isAlive);
            assertThat(folder).exists();
            switch (end) {
                case RETURN -> owner.getOutputStream().close();
                case SIGTERM -> owner.destroy();
                case SIGKILL, SIGKILL_WHILE_PAUSED -> owner.destroyForcibly();
            }
        }
        assertThat(owner.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
            assertThat(Files.exists(folder)).isFalse();
        });
    }

    private static Process owner(End end) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        end.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Starts PostgreSQL, prints its process id and folder, and never stops it. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] args) throws Exception {
            PostgresServer server = PostgresServer.builder().fastStart().build();
            server.start();
            if (args[0].equals(End.SIGKILL_WHILE_PAUSED.name())) {
                server.pause();
            }
            System.out.println(server.folder());
            System.out.println(server.pid());
            System.in.read();
        }
    }
}
