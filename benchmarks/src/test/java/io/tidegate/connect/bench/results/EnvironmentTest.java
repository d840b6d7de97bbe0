package io.tidegate.connect.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnvironmentTest {
    @TempDir
    private Path folder;

    private void git(String... arguments) throws Exception {
        String[] command = Stream.concat(
                        Stream.of(
                                "git", "-C", folder.toString(), "-c", "user.name=x", "-c", "user.email=x@example.org"),
                        Arrays.stream(arguments))
                .toArray(String[]::new);
        Process git = new ProcessBuilder(command).inheritIO().start();
        assertThat(git.waitFor()).isZero();
    }

    private String changes() throws Exception {
        return Environment.of(folder).getOrDefault("uncommitted_changes", "none");
    }

    /** Results are continued only with the same code. */
    @Test
    void tellsUncommittedChangesApart() throws Exception {
        git("init", "--quiet");
        Path file = Files.writeString(folder.resolve("code"), "one\n");
        git("add", "code");
        git("commit", "--quiet", "--message", "one");
        assertThat(changes()).isEqualTo("none");

        Files.writeString(file, "two\n");
        String two = changes();
        Files.writeString(file, "three\n");

        assertThat(two).isNotIn("none", changes());
        assertThat(changes()).isNotEqualTo("none");
        Files.writeString(file, "two\n");
        assertThat(changes()).isEqualTo(two);
    }
}
