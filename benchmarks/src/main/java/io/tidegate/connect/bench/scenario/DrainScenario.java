package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.cli.Bench;
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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of those of {@code ./bench scenario} that drain a topic. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public final class DrainScenario implements Callable<Integer> {
    private static final int MOST = 256;

    /** What there is to choose from. */
    @SuppressWarnings("ImmutableEnumChecker") // lists that nobody can change
    public enum Situation {
        RACE(
                "The same topic into PostgreSQL and Elasticsearch, each alone and both at once.",
                List.of(1),
                4,
                "jsonb",
                "es"),
        PLACEMENT(
                "Two workers, one of which has another connector's task: tasks per worker, and the tasks.max to take.",
                List.of(1, 2, 3, 4),
                4,
                "jsonb"),
        REPLAY(
                "A backlog from the broker's own segments, and from tiered storage, which is a local folder here.",
                List.of(2),
                4,
                "jsonb"),
        CONNECTIONS(
                "The rate by the size of the connection pool, for a fixed number of tasks.", List.of(4), 8, "jsonb"),
        POOLER("Straight to PostgreSQL, and through PgBouncer in its three pool modes.", List.of(2), 4, "jsonb");

        private final String description;
        private final List<String> configs;
        private final List<Integer> tasks;
        private final int partitions;

        Situation(String description, List<Integer> tasks, int partitions, String... configs) {
            this.description = description;
            this.configs = List.of(configs);
            this.tasks = tasks;
            this.partitions = partitions;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec;

    private final Situation situation;

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

    private DrainScenario(Situation situation) {
        this.situation = situation;
    }

    /** The subcommand of a situation. */
    public static CommandLine of(Situation situation) {
        CommandLine line = new CommandLine(new DrainScenario(situation));
        line.getCommandSpec().name(situation.toString());
        line.getCommandSpec().usageMessage().description(situation.description);
        return line;
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        check();
        DrainPlan plan = plan();
        DrainBench.measure(plan, scenario(plan), spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    private Experiment scenario(DrainPlan plan) throws ToolException {
        return switch (situation) {
            case RACE -> new RaceScenario(plan);
            case PLACEMENT -> new PlacementScenario(plan);
            case REPLAY -> new ReplayScenario(plan);
            case CONNECTIONS -> new ConnectionsScenario(plan, poolSizes);
            case POOLER -> new PoolerScenario(plan);
        };
    }

    private DrainPlan plan() throws ToolException, InterruptedException {
        List<Integer> wanted = tasks.isEmpty() ? situation.tasks : tasks;
        List<ConnectorSpec> subjects = new ArrayList<>();
        for (String config : situation.configs) {
            subjects.add(new ConnectorFolder(Bench.root(), "sinks").read(config, Optional.empty()));
        }
        return new DrainPlan(
                subjects,
                List.copyOf(wanted),
                rounds.partitionsOr(Math.max(situation.partitions, Collections.max(wanted))),
                input.limit(),
                input.source(Bench.root()),
                input.description(),
                rounds.warmUps(),
                rounds.runs(),
                false,
                false,
                rounds.workerHeap(),
                out.orElseGet(() -> Bench.root().resolve("benchmarks/target/results/scenario-" + situation))
                        .toAbsolutePath(),
                false,
                Bench.typed(spec));
    }

    private void check() {
        require(tasks.stream().allMatch(n -> n >= 1 && n <= MOST), "--tasks must be 1 to " + MOST);
        require(
                !poolSizes.isEmpty() && poolSizes.stream().allMatch(n -> n >= 1 && n <= MOST),
                "--pool-sizes must be 1 to " + MOST);
        require(input.problem().isEmpty(), input.problem().orElse(""));
        require(rounds.problem().isEmpty(), rounds.problem().orElse(""));
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
