package io.tidegate.connect.bench.cli;

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
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code ./bench compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Says what changed from one result folder to another beyond the noise: the ratio of medians with its 95 %%"
                        + " bootstrap interval. Ends with status 1 when something became worse by more than the threshold.")
public final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

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
            description = "Where results.json, results.csv and report.html go; by default they are not written.")
    private Optional<Path> out = Optional.empty();

    @Override
    public Integer call() throws ToolException {
        if (threshold < 0 || threshold >= 1) {
            throw new ParameterException(spec.commandLine(), "--threshold must be 0 to below 1");
        }
        Results first = new ResultFiles(before).read();
        Results second = new ResultFiles(after).read();
        Comparison comparison = Comparison.of(first, second, threshold);
        if (comparison.changes().isEmpty()) {
            throw new ToolException("the two have no entrant with figures in common");
        }
        PrintWriter said = spec.commandLine().getOut();
        say(said, comparison);
        differences(said, "settings", first.settings(), second.settings());
        differences(said, "environment", first.environment(), second.environment());
        said.flush();
        if (out.isPresent()) {
            new ComparisonFiles(out.get(), Bench.typed(spec)).write(comparison);
        }
        return comparison.hasRegression() ? Bench.FAILED : CommandLine.ExitCode.OK;
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
