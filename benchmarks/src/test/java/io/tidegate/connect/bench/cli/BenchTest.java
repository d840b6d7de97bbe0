package io.tidegate.connect.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.bench.sweep.SweepFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** What a user reads who got something wrong; no server starts for it. */
final class BenchTest {
    @TempDir
    private Path folder;

    private final CommandLineRun line = new CommandLineRun();

    private int bench(String... args) {
        return line.bench(args);
    }

    private void refused(String message, String... args) {
        assertThat(bench(args)).as(String.join(" ", args)).isEqualTo(ExitCode.USAGE);
        assertThat(line.takeErr().strip())
                .startsWith("bench: ")
                .contains(message)
                .hasLineCount(1);
    }

    private void failed(String message, String... args) {
        assertThat(bench(args)).as(String.join(" ", args)).isEqualTo(BenchCommand.FAILED);
        assertThat(line.takeErr().strip())
                .startsWith("bench: ")
                .contains(message)
                .hasLineCount(1);
    }

    @Test
    void explainsItself() {
        assertThat(bench("--help")).isZero();
        assertThat(line.out()).contains("sink", "sweep", "compare", "report", "Exit status:");
        for (String command : new String[] {"sink", "sweep", "compare", "report"}) {
            assertThat(bench(command, "--help")).isZero();
        }
    }

    @Test
    void refusesOptionsThatMakeNoSense() throws Exception {
        Path mine = Files.writeString(
                folder.resolve("mine.json"),
                "{\"config\":{\"connector.class\":\"C\",\"a\":\"${env:TIDEGATE_POSTGRES_URL}\"}}");
        refused(
                "two candidates are named mine: give one another name",
                "sink",
                "--config",
                mine.toString(),
                "--config",
                mine.toString(),
                "--plugin",
                folder.toString());
        refused("--tasks must be 1 to 256", "sink", "--tasks", "0");
        refused("--runs must be 1 to 100", "sink", "--runs", "0");
        refused("--record-bytes must be 32 to 8388608", "sink", "--record-bytes", "5");
        refused(
                "--record-bytes and --document-bytes exclude each other",
                "sink",
                "--record-bytes",
                "50",
                "--document-bytes",
                "50");
        refused("--threshold must be at least 0 and below 1", "compare", "a", "b", "--threshold", "2");
        refused("Unknown option: '--nonsense'", "sink", "--nonsense");
    }

    @Test
    void namesWhatIsMissing() throws Exception {
        failed("none.json; ", "sink", "--config", folder.resolve("none.json").toString());
        failed("debezium-jdbc", "sink", "--peer", "nobody");
        failed("no such file", "sink", "--input", folder.resolve("none.jsonl").toString());
        failed("there is no " + folder.resolve("results.json"), "report", folder.toString());
        Path mine = Files.writeString(
                folder.resolve("mine.json"),
                "{\"config\":{\"connector.class\":\"C\",\"a\":\"${env:TIDEGATE_POSTGRES_URL}\"}}");
        failed("mine.json names no plugin: add --plugin DIR", "sink", "--config", mine.toString());
        failed(
                "nowhere, the plugin of mine, is not a folder",
                "sink",
                "--config",
                mine.toString(),
                "--plugin",
                folder.resolve("nowhere").toString());
    }

    @Test
    void refusesSweepsThatItDoesNotUnderstand() throws Exception {
        Path sweep = Files.writeString(folder.resolve("x.yaml"), "task: [1]\n");
        failed("x.yaml: unknown key \"task\"; the keys are config, ", "sweep", sweep.toString());
        Files.writeString(sweep, "tasks: [1\n");
        assertThat(bench("sweep", sweep.toString())).isEqualTo(BenchCommand.FAILED);
        assertThat(line.takeErr()).startsWith("bench: " + sweep + ": is not YAML: ");
    }

    @Test
    void takesNoResultsOfAnotherCommitForMeasured() throws Exception {
        Path sweep = Files.writeString(folder.resolve("again.yaml"), "partitions: [1]\n");
        measured(sweep, Map.of("commit", "000000000000"));

        failed("commit was 000000000000 and is ", "sweep", sweep.toString(), "--out", out().toString());
    }

    @Test
    void takesNoResultsOfOtherOptionsForMeasured() throws Exception {
        Path sweep = Files.writeString(folder.resolve("again.yaml"), "partitions: [1]\n");
        measured(sweep, Environment.of(Path.of("..")));

        assertThat(bench("sweep", sweep.toString(), "--out", out().toString())).isZero();
        assertThat(line.out()).contains("(already measured)");

        Files.writeString(sweep, "partitions: [1]\nrecords: 7\n");
        failed("command was ./sink --config jsonb ", "sweep", sweep.toString(), "--out", out().toString());
    }

    private Path out() {
        return folder.resolve("again");
    }

    /** Writes results that a sweep with one topic would have written. */
    private void measured(Path sweep, Map<String, String> environment) throws Exception {
        SweepFile.Cell cell = SweepFile.read(sweep).cells().get(0);
        Path part = out().resolve(cell.name());
        new ResultFiles(part)
                .write(new Results(
                        Results.FORMAT,
                        "sink",
                        "./sink " + String.join(" ", cell.arguments()) + " --resume --out " + part,
                        "",
                        true,
                        environment,
                        Map.of(),
                        List.of(),
                        List.of(),
                        new Summary(List.of(), List.of()),
                        List.of()));
    }

    /** Otherwise an option that is misspelt is found only after an hour of measuring. */
    @Test
    void understandsEverySweepThatIsShipped() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("sweeps"))) {
            for (Path file : files.toList()) {
                for (SweepFile.Cell cell : SweepFile.read(file).cells()) {
                    CommandLine sink = new CommandLine(new SinkCommand(Path.of("..")));
                    assertThatCode(() -> sink.parseArgs(cell.arguments().toArray(String[]::new)))
                            .as("%s", file)
                            .doesNotThrowAnyException();
                }
            }
        }
    }
}
