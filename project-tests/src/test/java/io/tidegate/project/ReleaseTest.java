package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be checked of {@code ./release} without making one. */
final class ReleaseTest {
    /** Such as {@code "$out/NOTES.md"}, or the file that is copied to {@code "$out/"}. */
    private static final Pattern MADE = Pattern.compile("\"\\$out/([^\"/]+\\.[a-z.]+)\"|/([^\"/ ]+)\" \"\\$out/\"");

    private static final Pattern UPLOADED = Pattern.compile("gh release create [^\\n]*\\\\\\n +(.*)");

    /** A release candidate is not the version, which is still to come. */
    @ParameterizedTest
    @CsvSource({"0.1.0, 0.2.0", "0.1.1-rc.1, 0.1.1", "0.2.0-rc.1, 0.2.0", "1.2.3, 1.3.0", "1.0.0-alpha.2, 1.0.0"})
    void goesOnWithTheNextVersion(String version, String next) throws Exception {
        String script =
                ". '" + PROJECT.resolve("release") + "'; read_options " + version + " --dry-run; echo \"$next\"";
        Process bash = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(next + "\n");
    }

    /** Otherwise {@code sha256sum --check SHA256SUMS} fails for everyone. */
    @Test
    void uploadsEveryFileThatTheListOfChecksumsNames() throws IOException {
        Matcher upload = UPLOADED.matcher(Files.readString(PROJECT.resolve(".github/workflows/release.yml")));
        assertThat(upload.find()).isTrue();
        String uploaded = List.of(upload.group(1).split(" ")).stream()
                .map(glob -> glob.replace(".", "\\.").replace("*", ".*"))
                .reduce((one, other) -> one + "|" + other)
                .orElseThrow();

        List<String> made = MADE.matcher(Files.readString(PROJECT.resolve("release")))
                .results()
                .map(file -> file.group(1) == null ? file.group(2) : file.group(1))
                .map(file -> file.replace("$name", "tidegate-connect-x-sink"))
                .toList();

        assertThat(made)
                .contains("NOTES.md", "KEY.asc", "tidegate-$version.jar", "tidegate-connect-x-sink.zip")
                .hasSizeGreaterThan(6)
                .allMatch(file -> file.matches(uploaded))
                .allMatch(file -> (file + ".asc").matches(uploaded) || file.endsWith(".asc"));
    }
}
