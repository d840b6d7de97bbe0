package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts that call the commands see if nothing can be started. */
final class LauncherTest {
    @TempDir
    private Path folder;

    /** The end of a command. */
    private record End(int status, String output) {}

    private static End run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return new End(
                    process.exitValue(), new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path program(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Status 1 of {@code ./tidegate} means that something differs. */
    @ParameterizedTest
    @CsvSource({"tidegate, 2", "bench, 1", "check, 2", "quickstart, 1"})
    void aCommandWithoutAJdkEndsAsAnError(String command, int status) throws Exception {
        End end = run(
                Map.of("JAVA_HOME", "/no/such/jdk"), PROJECT.resolve(command).toString(), "--help");

        assertThat(end.output()).startsWith(command + ": needs a JDK, 17 or newer");
        assertThat(end.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"tidegate, 2", "check, 2", "quickstart, 1"})
    void aJavaThatFailsIsAnErrorWithItsMessage(String command, int status) throws Exception {
        Path java = program(folder.resolve("bin/java"), "echo 'Error: no libjvm.so' >&2\necho more\nexit 1\n");

        End end = run(
                Map.of("JAVA_HOME", folder.toString()), PROJECT.resolve(command).toString(), "--help");

        assertThat(end.output())
                .isEqualTo(
                        command + ": needs a JDK, 17 or newer: '" + java + "' does not start: Error: no libjvm.so\n");
        assertThat(end.status()).isEqualTo(status);
    }

    /** A file in the folder's place keeps even root from writing there. */
    @ParameterizedTest
    @ValueSource(strings = {"target", "connect-tools/target"})
    void aCheckoutThatCannotBeWrittenIsAnError(String target) throws Exception {
        Path checkout = checkout();
        Files.createDirectories(checkout.resolve(target).getParent());
        Files.writeString(checkout.resolve(target), "");

        End end = run(environment(), checkout.resolve("tidegate").toString(), "--help");

        assertThat(end.output()).contains("tidegate: cannot write to " + checkout.resolve(target) + "\n");
        assertThat(end.status()).isEqualTo(2);
    }

    /** A disk that is full, for example. */
    @Test
    void anyOtherFailureIsAnErrorToo() throws Exception {
        Path checkout = checkout();
        Files.createDirectories(checkout.resolve("connect-tools/target/launcher.begun"));

        End end = run(environment(), checkout.resolve("tidegate").toString(), "--help");

        assertThat(end.output()).contains("launcher.begun: Is a directory");
        assertThat(end.status()).isEqualTo(2);
    }

    private Path checkout() throws IOException {
        Path checkout = Files.createDirectories(folder.resolve("checkout"));
        for (String file : List.of("tidegate", "connect-cli/launcher.sh")) {
            Files.createDirectories(checkout.resolve(file).getParent());
            Files.copy(PROJECT.resolve(file), checkout.resolve(file));
        }
        return checkout;
    }

    private Map<String, String> environment() throws IOException {
        Path maven = program(folder.resolve("maven/mvn"), "exit 0\n");
        return Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "PATH", maven.getParent() + ":" + System.getenv("PATH"));
    }

    /** Sources the launcher as a command does, and runs a script. */
    private End sourced(String command, String script) throws Exception {
        String start = "set -euo pipefail\nhome='" + folder + "' name=test module=module failed=2\n"
                + "eval \"$(grep '^more_servers=' '" + PROJECT.resolve(command) + "' || true)\"\n"
                + ". '" + PROJECT.resolve("connect-cli/launcher.sh") + "'\n";
        return run(Map.of(), "bash", "-c", start + script);
    }

    @Test
    void aLockThatCannotBeMadeIsAnError() throws Exception {
        Files.createDirectories(folder.resolve("target"));
        Path lock = Files.writeString(folder.resolve("target/launcher.lock"), "no link");

        End end = sourced("tidegate", "lock");

        assertThat(end.output()).startsWith("test: cannot make the lock " + lock + ": ln: ");
        assertThat(end.status()).isEqualTo(2);
    }

    /** The number of a process that was killed may be given again. */
    @Test
    void aLockWithTheOwnNumberIsStale() throws Exception {
        Files.createDirectories(folder.resolve("target"));

        End end = sourced("tidegate", "ln -s $$ \"$lock\"\nlock\necho locked\n");

        assertThat(end).isEqualTo(new End(0, "locked\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "bench, sink --config jsonb, few",
        "bench, sink --config es-9, more",
        "bench, sink --config mine.json, more",
        "bench, sink --config=mine.json, more",
        "bench, sink --config=old.json, few",
        "bench, sink --config newest.json, more",
        "check, run --opensearch, more",
        "check, run --vectors, more",
        "check, run opensearch.json, more",
        "check, run tables.json, few",
    })
    void buildsTheServersThatAFileNames(String command, String arguments, String extent) throws Exception {
        String url = "{\"connection.url\":\"${env:TIDEGATE_%s_URL}\"}";
        Files.writeString(folder.resolve("mine.json"), url.formatted("OPENSEARCH"));
        Files.writeString(folder.resolve("newest.json"), url.formatted("ELASTICSEARCH9"));
        Files.writeString(folder.resolve("old.json"), url.formatted("ELASTICSEARCH"));

        End end = sourced(command, "cd \"$home\"\nchoose_build " + arguments + "\necho $extent\n");

        assertThat(end).isEqualTo(new End(0, extent + "\n"));
    }
}
