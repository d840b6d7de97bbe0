package io.tidegate.connect.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.PlainView;
import io.tidegate.connect.quickstart.view.Sink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole pipeline as a user does, with the plugins of this build. */
final class QuickstartIT {
    private static final int LINES = 3000;

    /** The excerpt of January 2015 has a reading every two hours. */
    private static final int READINGS = 361;

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void storesEveryRecordOfEveryFileOnceInBothStores() throws Exception {
        Path response = Path.of("../benchmarks/data/seattle-2015-01-every-2-hours.json");
        Path lines = Files.writeString(
                folder.resolve("lines.jsonl"),
                IntStream.range(0, LINES)
                        .mapToObj(i -> "{\"station\":\"S" + i % 50 + "\",\"name\":\"Station " + i % 50 + "\",\"level\":"
                                + i + "}")
                        .collect(Collectors.joining("\n")));

        int status = run("--input", response.toString(), "--input", lines.toString(), "--tasks", "3", "--exit");

        String said = out.toString(UTF_8);
        assertThat(err.toString()).isEmpty();
        assertThat(status).as(said).isZero();
        int total = READINGS + LINES;
        for (Sink sink : Sink.values()) {
            assertThat(said.lines())
                    .filteredOn(line -> line.matches("RESULT " + sink + " produced=" + total + " stored=" + total
                            + " duplicates=0 seconds=\\d+\\.\\d rate=\\d+"))
                    .hasSize(1);
        }
        assertThat(said).containsPattern("Steady rate, from 20 % to 90 % of the records: jsonb .+, es .+");
        assertThat(said).containsPattern("What limits it: .+ share \\d+ cores and used \\d+ % of them");
        assertThat(said).containsSubsequence("The highest tides in jsonb", "Station 49", "2999.000 m");
        assertThat(said).containsSubsequence("The highest tides in es", "Station 49", "2999.000 m");
    }

    @Test
    void followsChangedRowsIntoBothStores() {
        int status = run("--cdc", "--records", "200", "--exit");

        String said = out.toString(UTF_8);
        assertThat(err.toString()).isEmpty();
        assertThat(status).as(said).isZero();
        for (Sink sink : Sink.values()) {
            assertThat(said.lines()).contains("RESULT " + sink + " rows=200 equal=200");
            assertThat(said)
                    .containsPattern("LATENCY " + sink
                            + " from commit to commit, of 50 changes: median \\d+ ms, 90 % within \\d+ ms,"
                            + " highest \\d+ ms");
        }
    }

    private int run(String... args) {
        Path root = Path.of("").toAbsolutePath().getParent();
        return Quickstart.commandLine(root, new PlainView(new PrintStream(out, true, UTF_8)))
                .setErr(new PrintWriter(err))
                .execute(args);
    }
}
