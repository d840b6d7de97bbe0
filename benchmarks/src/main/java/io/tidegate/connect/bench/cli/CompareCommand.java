package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.compare.Change;
import io.tidegate.connect.bench.compare.Comparison;
import io.tidegate.connect.bench.compare.ComparisonFiles;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench compare}. */
@Command(
        name = "compare",
        description =
                "Says what changed from one result folder to another beyond the noise: the ratio of medians with its 95 %%"
                        + " bootstrap interval. Ends with status 1 when something became worse by more than the threshold.")
final class CompareCommand extends BenchCommand {
    @Parameters(index = "0", paramLabel = "A", description = "The result folder from before.")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "The result folder from after.")
    private Path after = Path.of("");

    @Option(
            names = "--threshold",
            paramLabel = "PART",
            description = "How much worse a median may become, as a part of it; 0.05 by default.")
    private double threshold = 0.05;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results.json, results.csv and report.html go; by default" + " they are not written.")
    private Optional<Path> folder = Optional.empty();

    CompareCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException {
        require(threshold >= 0 && threshold < 1, "--threshold must be 0 to below 1");
        Results first = new ResultFiles(before).read();
        Results second = new ResultFiles(after).read();
        Comparison comparison = Comparison.of(first, second, threshold);
        if (comparison.changes().isEmpty()) {
            throw new ToolException("the two have no entrant with figures in common");
        }
        PrintWriter said = out();
        say(said, comparison);
        differences(said, "settings", first.settings(), second.settings());
        differences(said, "environment", first.environment(), second.environment());
        said.flush();
        if (folder.isPresent()) {
            new ComparisonFiles(folder.get(), typed()).write(comparison);
        }
        return comparison.hasRegression() ? FAILED : ExitCode.OK;
    }

    private static void say(PrintWriter said, Comparison comparison) {
        for (Change change : comparison.changes()) {
            said.printf(
                    Locale.ROOT,
                    "%-40s %-12s ",
                    change.entrant(),
                    change.measure().title());
            said.println(change.interval().format("x %.3f (%.3f-%.3f), ") + change.runsBefore() + " and "
                    + change.runsAfter() + " runs: " + change.verdict());
        }
        comparison.missing().forEach(label -> said.println("not compared: " + label));
    }

    /** Figures of different things or machines are no comparison; the user is told, not stopped. */
    private static void differences(
            PrintWriter said, String of, Map<String, String> before, Map<String, String> after) {
        before.forEach((key, value) -> {
            String other = after.getOrDefault(key, "(none)");
            if (!other.equals(value)) {
                said.println("different " + of + ": " + key + " " + value + " -> " + other);
            }
        });
    }
}
