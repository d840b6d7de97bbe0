package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.TextTable;
import io.tidegate.connect.bench.sweep.Merge;
import io.tidegate.connect.bench.sweep.SweepFile;
import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench sweep}. The same command again continues an interrupted sweep. */
@Command(
        name = "sweep",
        description = {
            "Measures every combination of tasks, partitions, record sizes and settings that a YAML file lists, such as"
                    + " benchmarks/sweeps/jsonb.yaml.",
            "Finished runs are not repeated, so the same command again continues an interrupted sweep."
        })
final class SweepCommand extends BenchCommand {
    @Parameters(paramLabel = "FILE", description = "The YAML file.")
    private Path file = Path.of("");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder, with a subfolder for each topic; by default"
                    + " benchmarks/target/results/sweep-FILE.")
    private Optional<Path> out = Optional.empty();

    SweepCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        SweepFile sweep = SweepFile.read(file);
        Path folder = folder(out, nameFor("sweep", file));
        PrintWriter console = out();
        Map<String, Results> parts = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        List<SweepFile.Cell> cells = sweep.cells();
        for (int i = 0; i < cells.size(); i++) {
            SweepFile.Cell cell = cells.get(i);
            ResultFiles files = new ResultFiles(folder.resolve(cell.name()));
            console.println("Topic " + (i + 1) + " of " + cells.size() + ": " + cell.name()
                    + (isDone(files) ? " (already measured)" : ""));
            console.flush();
            try {
                if (isDone(files)) {
                    requireSame(files.read(), folder.resolve(cell.name()));
                } else {
                    measure(cell, folder.resolve(cell.name())).ifPresent(failures::add);
                }
            } catch (InterruptedException e) {
                finishEarly(folder, cell, parts);
                throw e;
            }
            parts.put(cell.name(), files.read());
            HtmlReport.write(folder, Merge.of(parts, typed(), i + 1 == cells.size()));
        }
        TextTable.of(Merge.of(parts, typed(), true).summary()).forEach(console::println);
        console.println("Results: " + folder);
        console.flush();
        if (!failures.isEmpty()) {
            throw new ToolException(String.join("\n", failures));
        }
        return ExitCode.OK;
    }

    private void finishEarly(Path folder, SweepFile.Cell interrupted, Map<String, Results> parts) throws ToolException {
        if (Files.exists(folder.resolve(interrupted.name()).resolve("results.json"))) {
            parts.put(interrupted.name(), new ResultFiles(folder.resolve(interrupted.name())).read());
        }
        if (!parts.isEmpty()) {
            HtmlReport.write(folder, Merge.of(parts, typed(), false));
            out().println("Partial results: " + folder);
            out().flush();
        }
    }

    private static boolean isDone(ResultFiles files) {
        try {
            Results results = files.read();
            return results.complete() && results.runs().stream().allMatch(Run::isOk);
        } catch (ToolException e) {
            return false;
        }
    }

    /** Results of another commit or machine are none of this sweep. */
    private void requireSame(Results earlier, Path folder) throws ToolException, InterruptedException {
        Map<String, String> now = Environment.of(root());
        for (String key : List.of("commit", "uncommitted_changes", "processor", "processors")) {
            String before = earlier.environment().getOrDefault(key, "none");
            if (!before.equals(now.getOrDefault(key, "none"))) {
                throw new ToolException("the results in " + folder + " cannot be continued: " + key + " was " + before
                        + " and is " + now.getOrDefault(key, "none") + ". Use another --out, or delete the results");
            }
        }
    }

    /** Measures a cell. Returns the reason if some of its runs failed; the others are kept. */
    private Optional<String> measure(SweepFile.Cell cell, Path folder) throws ToolException, InterruptedException {
        List<String> arguments = new ArrayList<>(cell.arguments());
        arguments.addAll(List.of("--resume", "--out", folder.toString()));
        CommandLine sink = new CommandLine(new SinkCommand(root())).setOut(out());
        sink.parseArgs(arguments.toArray(String[]::new));
        try {
            sink.<SinkCommand>getCommand().call();
            return Optional.empty();
        } catch (ToolException e) {
            if (new ResultFiles(folder).exist()) {
                return Optional.of(cell.name() + ": " + e.getMessage());
            }
            throw e;
        }
    }
}
