package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.command.InputOptions;
import io.tidegate.connect.bench.command.RoundOptions;
import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.DrainBench;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A scenario that drains a topic through connectors of ours, with the options that all of these have. */
abstract class DrainScenario extends BenchCommand implements Scenario, Experiment {
    private static final int MOST = 256;

    private final List<Integer> defaultTasks;
    private final int leastPartitions;
    private final List<String> configs;
    private final List<ConnectorSpec> specs = new ArrayList<>();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            split = ",",
            description = "Numbers of tasks; by default 1 for race, 1,2,3,4 for placement, 4 for connections, else 2.")
    private List<Integer> tasks = List.of();

    @Option(
            names = "--pool-sizes",
            paramLabel = "N",
            split = ",",
            description = "For connections: the sizes to try; 1,2,4,8,16 by default.")
    private List<Integer> poolSizes = List.of(1, 2, 4, 8, 16);

    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; by default benchmarks/target/results/scenario-NAME.")
    private Optional<Path> out = Optional.empty();

    private Optional<DrainPlan> plan = Optional.empty();

    /**
     * For one situation.
     *
     * @param configs files of {@code benchmarks/sinks}
     */
    DrainScenario(Path root, List<Integer> defaultTasks, int leastPartitions, String... configs) {
        super(root);
        this.defaultTasks = defaultTasks;
        this.leastPartitions = leastPartitions;
        this.configs = List.of(configs);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        require(tasks.stream().allMatch(n -> n >= 1 && n <= MOST), "--tasks must be 1 to " + MOST);
        require(
                !poolSizes.isEmpty() && poolSizes.stream().allMatch(n -> n >= 1 && n <= MOST),
                "--pool-sizes must be 1 to " + MOST);
        refuse(input.problem());
        refuse(rounds.problem());
        for (String config : configs) {
            specs.add(new ConnectorFolder(root(), "sinks").read(config, Optional.empty()));
        }
        plan = Optional.of(
                rounds.plan(root(), specs, tasks.isEmpty() ? defaultTasks : tasks, leastPartitions, input, false));
        DrainBench.measure(plan(), this, journal(folder(out, "scenario-" + name())));
        return ExitCode.OK;
    }

    /** What the user has asked for. */
    DrainPlan plan() {
        return plan.orElseThrow();
    }

    /** The connector, or the first of them. */
    ConnectorSpec spec() {
        return specs.get(0);
    }

    List<Integer> poolSizes() {
        return poolSizes;
    }
}
