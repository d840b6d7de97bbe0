package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.plan.Advice;
import io.tidegate.connect.bench.plan.Groups;
import io.tidegate.connect.bench.plan.PlanFiles;
import io.tidegate.connect.bench.plan.PlanText;
import io.tidegate.connect.bench.plan.Target;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code ./bench plan}. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Fits the Universal Scalability Law to measured rates and says how many tasks, partitions, workers and"
                        + " connections a rate needs; or that the data cannot say.")
public final class PlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "RESULTS",
            description =
                    "A result folder with at least four numbers of tasks, or a CSV file with the columns tasks and"
                            + " records_per_s.")
    private Path results = Path.of("");

    @Option(names = "--rate", paramLabel = "R", required = true, description = "The rate wanted, in records/s.")
    private double rate;

    @Option(
            names = "--headroom",
            paramLabel = "PART",
            description = "The part of the capacity that stays free for peaks and catching up; 0.5 by default.")
    private double headroom = 0.5;

    @Option(names = "--worker-cores", paramLabel = "N", description = "Cores of one worker; this machine's by default.")
    private int workerCores = Runtime.getRuntime().availableProcessors();

    @Option(names = "--group", paramLabel = "TEXT", description = "Only groups whose name contains this.")
    private String wanted = "";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results.json, results.csv and report.html go; by default they are not written.")
    private Optional<Path> out = Optional.empty();

    @Override
    public Integer call() throws ToolException {
        require(rate > 0, "--rate must be above 0");
        require(headroom >= 0 && headroom < 1, "--headroom must be 0 to below 1");
        require(workerCores >= 1, "--worker-cores must be at least 1");
        Target target = new Target(rate, headroom, workerCores);
        List<Advice> advice = Groups.read(results).stream()
                .filter(group -> group.name().contains(wanted))
                .map(group -> Advice.of(group, target))
                .toList();
        if (advice.isEmpty()) {
            throw new ToolException("no group of " + results + " contains \"" + wanted + "\"");
        }
        PrintWriter said = spec.commandLine().getOut();
        advice.forEach(one -> PlanText.of(one).forEach(said::println));
        said.flush();
        if (out.isPresent()) {
            new PlanFiles(out.get(), Bench.typed(spec)).write(advice, target);
        }
        return advice.stream().anyMatch(one -> one.refusal().isEmpty()) ? CommandLine.ExitCode.OK : Bench.FAILED;
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
