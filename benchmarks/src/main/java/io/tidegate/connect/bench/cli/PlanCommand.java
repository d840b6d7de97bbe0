package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.plan.Advice;
import io.tidegate.connect.bench.plan.Groups;
import io.tidegate.connect.bench.plan.PlanText;
import io.tidegate.connect.bench.plan.Target;
import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench plan}. */
@Command(
        name = "plan",
        description = "Fits the Universal Scalability Law to measured rates and calculates how many tasks, partitions,"
                + " workers and connections a rate needs. If the data does not allow that, it says why.")
final class PlanCommand extends BenchCommand {
    @Parameters(
            paramLabel = "RESULTS",
            description =
                    "A result folder with at least four different numbers of tasks, or a CSV file with the columns"
                            + " tasks and records_per_s.")
    private Path results = Path.of("");

    @Option(names = "--rate", paramLabel = "R", required = true, description = "The target rate, in records/s.")
    private double rate;

    @Option(
            names = "--headroom",
            paramLabel = "PART",
            description = "The share of the capacity that stays free for peaks and catching up; 0.5 by default.")
    private double headroom = 0.5;

    @Option(
            names = "--worker-cores",
            paramLabel = "N",
            description = "CPU cores of one worker; this machine's by default.")
    private int workerCores = Runtime.getRuntime().availableProcessors();

    @Option(names = "--group", paramLabel = "TEXT", description = "Uses only groups whose name contains this text.")
    private String wanted = "";

    PlanCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException {
        require(rate > 0, "--rate must be above 0");
        require(headroom >= 0 && headroom < 1, "--headroom must be at least 0 and below 1");
        require(workerCores >= 1, "--worker-cores must be at least 1");
        Target target = new Target(rate, headroom, workerCores);
        List<Advice> advice = Groups.read(results).stream()
                .filter(group -> group.name().contains(wanted))
                .map(group -> Advice.of(group, target))
                .toList();
        if (advice.isEmpty()) {
            throw new ToolException("no group of " + results + " contains \"" + wanted + "\"");
        }
        PrintWriter console = out();
        advice.forEach(one -> PlanText.of(one).forEach(console::println));
        console.flush();
        boolean any = advice.stream().anyMatch(one -> one.refusal().isEmpty());
        return any ? ExitCode.OK : FAILED;
    }
}
