package io.tidegate.connect.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The short benchmark of every build: it fails when counts are wrong, never on a time. Its report stays in {@code
 * benchmarks/target/integration-benchmark}.
 */
final class BenchIT {
    private static final Path FOLDER = Path.of("target/integration-benchmark").toAbsolutePath();

    private final CommandLineRun line = new CommandLineRun();

    @Test
    void storesEveryRecordThroughBothSinksAndReportsIt() throws Exception {
        line.succeeds(
                "sink --config jsonb --config es --records 8000 --tasks 2 --runs 1 --warm-ups 0 --no-op-sink --raw-client",
                FOLDER);
        Results results = new ResultFiles(FOLDER).read();
        assertThat(results.complete()).isTrue();
        assertThat(results.entrants())
                .extracting(entrant -> entrant.kind())
                .containsExactly("connector", "connector", "no-op-sink", "raw-client", "raw-client");
        assertThat(results.runs()).hasSize(5).allMatch(Run::isOk);
        assertThat(results.runs())
                .allSatisfy(run -> assertThat(
                                run.series().get(run.series().size() - 1).stored())
                        .isEqualTo(8_000))
                .filteredOn(run -> run.measures().containsKey(Measure.CONNECTIONS_LEFT.key()))
                .allSatisfy(
                        run -> assertThat(run.measure(Measure.CONNECTIONS_LEFT)).contains(0.0));
        assertThat(Files.readString(FOLDER.resolve("report.html"), UTF_8))
                .contains("<h3>Steady rate</h3>", "<h3>CPU per million records</h3>");
        assertThat(Files.readAllLines(FOLDER.resolve("results.csv"))).hasSize(6);
    }

    @Test
    void showsHowTasksAreSpreadOverTwoWorkersAndWhyAConnectorWasRefused(@TempDir Path folder) throws Exception {
        String words = "sink --workers 2 --records 5000 --tasks 1,2 --vary batch.size=0,500 --runs 1";
        int status = line.bench((words + " --out " + folder).split(" ", -1));

        assertThat(status).isEqualTo(BenchCommand.FAILED);
        assertThat(line.takeErr())
                .startsWith("bench: some runs failed:\njsonb batch.size=0, 1 task: ")
                .contains("batch.size: Value must be at least 1", "\njsonb batch.size=0, 2 tasks: ");
        Results results = new ResultFiles(folder).read();
        assertThat(results.command()).startsWith("./bench " + words);
        // A connector that was refused in its warm-up is not tried again.
        assertThat(results.runs()).filteredOn(run -> !run.isOk()).hasSize(2);
        assertThat(results.runs())
                .filteredOn(Run::counts)
                .extracting(run -> run.measure(Measure.TASKS_MOST), run -> run.measure(Measure.TASKS_FEWEST))
                .containsExactly(tuple(Optional.of(1.0), Optional.of(0.0)), tuple(Optional.of(1.0), Optional.of(1.0)));
    }
}
