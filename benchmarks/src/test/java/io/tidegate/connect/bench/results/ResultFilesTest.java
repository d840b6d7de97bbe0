package io.tidegate.connect.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {
    @TempDir
    private Path folder;

    private static Results results(int format) {
        CandidateInfo entrant = new CandidateInfo("a, \"b\"", "connector", "postgresql", 2, Map.of("k", "v"));
        List<Run> runs = List.of(new Run(
                entrant.label(),
                1,
                Run.OK,
                true,
                Map.of(Measure.STEADY_RATE.key(), 1234.5),
                List.of(new Sample(0.5, 10, 1, 2, 3, 4, 5, 6, 0, 0))));
        return new Results(
                format,
                "sink",
                "./bench sink",
                "2026-11-21T00:00:00Z",
                true,
                Map.of("processors", "2"),
                Map.of(),
                List.of(entrant),
                runs,
                Summary.of(List.of(entrant), runs),
                List.of());
    }

    @Test
    void readsWhatItHasWritten() throws Exception {
        ResultFiles files = new ResultFiles(folder.resolve("deep/er"));

        files.write(results(Results.FORMAT), "<html>");

        assertThat(files.read()).isEqualTo(results(Results.FORMAT));
        assertThat(folder.resolve("deep/er/report.html")).hasContent("<html>");
        assertThat(Files.readAllLines(folder.resolve("deep/er/results.csv")).get(1))
                .startsWith("\"a, \"\"b\"\"\",1,\"ok\",true,true,")
                .contains(",1234.500,");
    }

    @Test
    void saysWhyAFolderCannotBeRead() throws Exception {
        ResultFiles files = new ResultFiles(folder);

        assertThatThrownBy(files::read).hasMessage("there is no " + folder.resolve("results.json"));
        Files.writeString(folder.resolve("results.json"), "{");
        assertThatThrownBy(files::read).hasMessageContaining("is not a benchmark's results.json: ");
        files.write(results(Results.FORMAT + 1), "");
        assertThatThrownBy(files::read).hasMessageContaining("has format 2; this version reads up to 1");
    }
}
