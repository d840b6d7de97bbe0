package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.command.InputOptions;
import io.tidegate.connect.bench.command.RoundOptions;
import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.DrainBench;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A scenario that drains a topic through Tidegate's connectors, with the options that all of these share. */
abstract class DrainScenario extends BenchCommand implements Scenario, Experiment {
    private static final int MAX = 256;

    private final List<Integer> defaultTasks;
    private final int leastPartitions;
    private final List<String> configs;
    private final List<ConnectorSpec> specs = new ArrayList<>();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            split = ",",
            description = "Numbers of tasks; 1 by default.")
    private List<Integer> tasks = List.of();

    @Mixin
    private InputOptions input;

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default benchmarks/target/results/scenario-NAME.")
    private Optional<Path> out = Optional.empty();

    private Optional<DrainPlan> plan = Optional.empty();

    /**
     * Makes a scenario.
     *
     * @param configs the names of files in {@code benchmarks/sinks}
     */
    DrainScenario(Path root, List<Integer> defaultTasks, int leastPartitions, String... configs) {
        this(root, new InputOptions(), defaultTasks, leastPartitions, configs);
    }

    DrainScenario(Path root, InputOptions input, List<Integer> defaultTasks, int leastPartitions, String... configs) {
        super(root);
        this.input = input;
        this.defaultTasks = defaultTasks;
        this.leastPartitions = leastPartitions;
        this.configs = List.of(configs);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        require(tasks.stream().allMatch(n -> n >= 1 && n <= MAX), "--tasks must be 1 to " + MAX);
        refuse(input.problem());
        refuse(rounds.problem());
        for (String config : configs()) {
            specs.add(new ConnectorFolder(root(), "sinks").read(config, Optional.empty()));
        }
        plan = Optional.of(
                rounds.plan(root(), specs, tasks.isEmpty() ? defaultTasks : tasks, leastPartitions, input, false));
        DrainBench.measure(plan(), this, journal(folder(out, "scenario-" + name())));
        return ExitCode.OK;
    }

    /** The names of the connectors, which are files in {@code benchmarks/sinks}. */
    List<String> configs() {
        return configs;
    }

    /** The plan from the user's options. */
    DrainPlan plan() {
        return plan.orElseThrow();
    }

    /** The first connector. */
    ConnectorSpec spec() {
        return specs.get(0);
    }

}
