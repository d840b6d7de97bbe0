package io.tidegate.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scripts that call the commands see if nothing can be started. */
final class LauncherTest {
    /** Status 1 of {@code ./tidegate} means that something differs. */
    @ParameterizedTest
    @CsvSource({"tidegate, 2", "bench, 1", "check, 2", "quickstart, 1"})
    void aCommandWithoutAJdkEndsAsAnError(String command, int status) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        ProjectFilesTest.PROJECT.resolve(command).toString(), "--help")
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", "/no/such/jdk");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(output).startsWith(command + ": needs a JDK, 17 or newer");
        assertThat(process.exitValue()).isEqualTo(status);
    }
}
