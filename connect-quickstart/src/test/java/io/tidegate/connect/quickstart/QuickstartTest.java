package io.tidegate.connect.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.PlainView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An option or input that is wrong gives one line and an exit status, and starts no server. */
final class QuickstartTest {
    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(run("--speed", "9")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("quickstart: Unknown option");
    }

    @Test
    void refusesValuesOutOfBounds() {
        assertRefused("quickstart: --records must be at least 1, not 0 (see ./quickstart --help)", "--records", "0");
        assertRefused("quickstart: --tasks must be 1 to 64, not 65 (see ./quickstart --help)", "--tasks", "65");
        assertRefused("quickstart: --web must be 0 to 65535, not 65536 (see ./quickstart --help)", "--web=65536");
    }

    @Test
    void refusesAnUnknownSinkAndNamesTheKnown() {
        assertThat(run("--sinks", "jsonb,oracle")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .endsWith("--sinks takes jsonb and es, not 'oracle' (see ./quickstart --help)");
    }

    @Test
    void refusesANumberThatIsNone() {
        assertThat(run("--records", "many")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("'many' is not a long");
    }

    @Test
    void takesAPortOrChoosesOne() {
        for (String web : List.of("--web", "--web=8080")) {
            assertRefused(
                    "quickstart: --records must be at least 1, not 0 (see ./quickstart --help)", web, "--records", "0");
        }
    }

    @Test
    void namesAFileThatIsNotThere() {
        Path missing = folder.resolve("missing.json");

        assertThat(run("--input", missing.toString())).isEqualTo(1);
        assertThat(err.toString().strip()).isEqualTo("quickstart: " + missing + ": no such file");
        assertThat(out.size()).isZero();
    }

    @Test
    void namesAFileThatIsMalformedBeforeItStartsAnything() throws Exception {
        Path good = Files.writeString(folder.resolve("good.jsonl"), "{}\n");
        Path bad = Files.writeString(folder.resolve("bad.jsonl"), "{}\n{\"a\":\n");

        assertThat(run("--input", good.toString(), "--input", bad.toString())).isEqualTo(1);
        assertThat(err.toString().strip())
                .isEqualTo("quickstart: " + bad + ":2:6: the JSON ends in the middle of a value");
        assertThat(out.size()).isZero();
    }

    @Test
    void refusesAFileWithoutRecords() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.json"), "\n\n");

        assertThat(run("--input", empty.toString())).isEqualTo(1);
        assertThat(err.toString().strip()).isEqualTo("quickstart: " + empty + ": contains no record");
    }

    private void assertRefused(String message, String... args) {
        err.getBuffer().setLength(0);
        assertThat(run(args)).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo(message);
    }

    private int run(String... args) {
        CommandLine command = Quickstart.commandLine(folder, new PlainView(new PrintStream(out, true, UTF_8)));
        return command.setErr(new PrintWriter(err)).execute(args);
    }
}
