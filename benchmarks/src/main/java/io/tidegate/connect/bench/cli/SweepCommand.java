package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.drain.ResumedRuns;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private static final Set<String> COMPARED = Set.of("commit", "uncommitted_changes", "processor", "processors");

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
                CommandLine sink = sink(cell, folder.resolve(cell.name()));
                if (isDone(files)) {
                    requireSame(files.read(), sink);
                } else {
                    measure(cell, folder.resolve(cell.name()), sink).ifPresent(failures::add);
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
        ResultFiles files = new ResultFiles(folder.resolve(interrupted.name()));
        if (files.exist()) {
            parts.put(interrupted.name(), files.read());
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

    /** Refuses results of other options, another commit or another machine. */
    private void requireSame(Results earlier, CommandLine sink) throws ToolException, InterruptedException {
        Map<String, String> before = new HashMap<>(earlier.environment());
        before.keySet().retainAll(COMPARED);
        before.put("command", earlier.command());
        Map<String, String> now = new HashMap<>(Environment.of(root()));
        now.keySet().retainAll(COMPARED);
        now.put("command", sink.<SinkCommand>getCommand().typed());
        ResumedRuns.refuseDifference(before, now);
    }

    /** The command that measures a cell. */
    private CommandLine sink(SweepFile.Cell cell, Path folder) {
        List<String> arguments = new ArrayList<>(cell.arguments());
        arguments.addAll(List.of("--resume", "--out", folder.toString()));
        CommandLine sink = new CommandLine(new SinkCommand(root())).setOut(out());
        sink.parseArgs(arguments.toArray(String[]::new));
        return sink;
    }

    /** Measures a cell. Returns the reason if some of its runs failed; the others are kept. */
    private static Optional<String> measure(SweepFile.Cell cell, Path folder, CommandLine sink)
            throws ToolException, InterruptedException {
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
