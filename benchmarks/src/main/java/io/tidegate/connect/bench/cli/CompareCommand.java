package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.compare.Baseline;
import io.tidegate.connect.bench.compare.Change;
import io.tidegate.connect.bench.compare.Comparison;
import io.tidegate.connect.bench.compare.Comparison.Metric;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench compare}. */
@Command(
        name = "compare",
        description =
                "Shows what changed between two result folders beyond the noise: the ratio of medians with its 95 %%"
                        + " bootstrap interval. Exits with 1 if a change exceeds the threshold, or if B has no run of an"
                        + " entrant of A.")
final class CompareCommand extends BenchCommand {
    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "The older result folder, or a folder with one for each kind of machine, such as"
                    + " benchmarks/baseline.")
    private Path before = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "The newer result folder.")
    private Path after = Path.of("");

    @Option(
            names = "--threshold",
            paramLabel = "PART",
            description = "How much worse a median may get, as a fraction of it; 0.05 by default.")
    private double threshold = 0.05;

    @Option(
            names = "--metric",
            paramLabel = "NAME",
            description =
                    "all (the default), or cpu: only the CPU time of worker and server. If the machines or versions"
                            + " differ, cpu compares ratios, as --ratios does.")
    private Metric metric = Metric.ALL;

    @Option(
            names = "--ratios",
            description =
                    "Compares each cost divided by that of the no-op sink (worker) or the raw client (server) in the same"
                            + " round. Both folders need --no-op-sink and --raw-client.")
    private boolean ratios;

    CompareCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException {
        require(threshold >= 0 && threshold < 1, "--threshold must be at least 0 and below 1");
        Results second = new ResultFiles(after).read();
        Results first = new Baseline(before).read(second);
        PrintWriter console = out();
        boolean otherKind = metric == Metric.CPU && !Baseline.isSameKind(first, second);
        if (otherKind || ratios) {
            first = Baseline.ratios(first, before);
            second = Baseline.ratios(second, after);
            console.println((otherKind ? "Another kind of machine, or other versions. " : "")
                    + "Compared: the worker's cost divided by that of a sink that does nothing, the server's by that of a"
                    + " raw client.");
        }
        Comparison comparison = Comparison.of(first, second, metric, threshold);
        if (comparison.changes().isEmpty()) {
            throw new ToolException("the two folders have no measured entrant in common");
        }
        print(console, comparison);
        differences(console, "settings", first.settings(), second.settings());
        differences(console, "environment", first.environment(), second.environment());
        console.flush();
        return comparison.hasRegression() ? FAILED : ExitCode.OK;
    }

    private static void print(PrintWriter console, Comparison comparison) {
        for (Change change : comparison.changes()) {
            double was = change.before().median();
            double is = change.after().median();
            String ratio = was == 0 || is == 0
                    ? Figures.number(was) + " -> " + Figures.number(is)
                    : change.interval().format("x %.3f (%.3f-%.3f)");
            String name = Figures.format(
                    "%-40s %-12s ", change.entrant(), change.measure().title());
            console.println(name + ratio + ", " + change.before().runs() + " and "
                    + change.after().runs() + " runs: " + change.verdict());
        }
        comparison.missing().forEach(label -> console.println("not compared: " + label));
    }

    /** Prints the differences. They make the comparison doubtful, but the user decides. */
    private static void differences(
            PrintWriter console, String of, Map<String, String> before, Map<String, String> after) {
        before.forEach((key, value) -> {
            String other = after.getOrDefault(key, "(none)");
            if (!other.equals(value)) {
                console.println("different " + of + ": " + key + " " + value + " -> " + other);
            }
        });
    }
}
