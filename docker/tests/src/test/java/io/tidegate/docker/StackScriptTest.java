package io.tidegate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docker/stack} says before it starts a server. Other commands run in place of {@code docker}. */
final class StackScriptTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final List<String> NEEDED = List.of(
            "docker/stack",
            "docker/common",
            "pom.xml",
            "connect-testkit/containers/src/main/resources/io/tidegate/connect/testkit/containers/images.properties");

    @TempDir
    private Path folder;

    @BeforeEach
    void copy() throws IOException {
        for (String file : NEEDED) {
            Path copy = folder.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(ROOT.resolve(file), copy);
        }
        command("docker/make-secrets", "exit 0");
    }

    /** After {@code mvn clean}, for example. */
    @Test
    void aStackEndsAlsoIfNothingIsBuilt() throws Exception {
        Files.createDirectories(folder.resolve("connect-x-sink"));
        composePrintsItsArguments();
        command("commands/mvn", "exit 1");

        assertThat(run("down", "--volumes")).containsPattern("runs compose .* down --volumes");
    }

    /** Compose keeps an image that it has, with the plugins of the last time. */
    @Test
    void aStackStartsWithThePluginsAsTheyAre() throws Exception {
        Files.createDirectories(folder.resolve("connect-x-sink/target/plugin/connect-x-sink"));
        composePrintsItsArguments();
        command("commands/mvn", "exit 0");

        assertThat(run("up", "--detach")).containsPattern("runs compose .* up --build --detach");
        assertThat(run("up", "--build")).containsPattern("runs compose .* up --build\n");
    }

    private void composePrintsItsArguments() throws IOException {
        command("commands/docker", "[ \"$1 $2\" != \"compose --project-name\" ] || echo \"runs $*\"");
    }

    private String run(String... arguments) throws Exception {
        Process process = start(arguments);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "docker/stack", "pipeline"));
        command.addAll(List.of(arguments));
        ProcessBuilder stack = new ProcessBuilder(command);
        stack.directory(folder.toFile()).redirectErrorStream(true);
        stack.environment().merge("PATH", folder.resolve("commands") + ":", (path, first) -> first + path);
        return stack.start();
    }

    @Test
    void saysHowToGetAnImageThatCannotBePulled() throws Exception {
        Files.createDirectories(folder.resolve("connect-x-sink/target/plugin/connect-x-sink"));
        command("commands/docker", "[ \"$1\" = version ] || { echo \"$1: no such host\" >&2; exit 1; }");
        command("commands/mvn", "exit 1");

        Process process = start("up", "--detach");
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said)
                .contains("pull: no such host")
                .containsPattern("no image: apache/kafka:\\S+: the pull failed; run docker/build-images");
        assertThat(process.waitFor()).isEqualTo(4);
    }

    private void command(String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
