package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.InputOptions;
import io.tidegate.connect.bench.command.RoundOptions;
import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.Variants;
import io.tidegate.connect.bench.drain.DrainBench;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.SinkComparison;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code ./bench sink}. */
@Command(
        name = "sink",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Drains a topic through sink connectors and says how fast, and what each record cost.",
            "Every run has an empty store and a fresh consumer group; a rate without the matching count in the store is an"
                    + " error. What is compared takes turns, after a warm-up that does not count."
        })
public final class SinkCommand implements Callable<Integer> {
    private static final int DEFAULT_PARTITIONS = 4;
    private static final int MAX_TASKS = 256;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A connector's JSON as it is posted to a worker, or the name of a file in benchmarks/sinks, such as"
                            + " jsonb (the default), jsonb-keyed, jsonb-upsert, jsonb-exactly-once, es. May be repeated.")
    private List<String> configs = List.of();

    @Option(
            names = "--plugin",
            paramLabel = "DIR",
            description =
                    "A folder for plugin.path, which holds the plugin's folder of jars, for those files that name none.")
    private Optional<Path> plugin = Optional.empty();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "Another project's connector, described in benchmarks/peers/NAME.json and fetched from Maven"
                    + " Central. May be repeated.")
    private List<String> peers = List.of();

    @Option(
            names = "--vary",
            paramLabel = "KEY=A,B",
            description =
                    "Measures each --config with each of these values of a setting. May be repeated: all combinations.")
    private List<String> vary = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Changes a setting of each --config. May be repeated.")
    private List<String> set = List.of();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            split = ",",
            description = "Numbers of tasks, such as 1,2,4; 1 by default.")
    private List<Integer> tasks = List.of(1);

    @Mixin
    private InputOptions input = new InputOptions();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Option(names = "--floor", description = "Adds a sink that does nothing: what the framework can deliver.")
    private boolean floor;

    @Option(names = "--ceiling", description = "Adds a bare client with prepared requests: what the server can take.")
    private boolean ceiling;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where results.json and results.csv go; by default a new folder in benchmarks/target/results.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--resume",
            description =
                    "Goes on with a measurement that was stopped: the runs that --out holds are not done again, if"
                            + " settings, versions and commit are the same.")
    private boolean resume;

    @Override
    public Integer call() throws ToolException, InterruptedException {
        DrainPlan plan = plan();
        DrainBench.measure(plan, new SinkComparison(plan), spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    private DrainPlan plan() throws ToolException, InterruptedException {
        check();
        int most = Collections.max(tasks);
        return new DrainPlan(
                subjects(),
                List.copyOf(tasks),
                rounds.partitionsOr(Math.max(DEFAULT_PARTITIONS, most)),
                input.limit(),
                input.source(Bench.root()),
                input.description(),
                rounds.warmUps(),
                rounds.runs(),
                floor,
                ceiling,
                rounds.workerHeap(),
                out.orElseGet(SinkCommand::freshFolder).toAbsolutePath(),
                resume,
                Bench.typed(spec));
    }

    private void check() {
        require(
                !tasks.isEmpty() && tasks.stream().allMatch(n -> n >= 1 && n <= MAX_TASKS),
                "--tasks must be 1 to " + MAX_TASKS);
        require(input.problem().isEmpty(), input.problem().orElse(""));
        require(rounds.problem().isEmpty(), rounds.problem().orElse(""));
        require(!resume || out.isPresent(), "--resume needs the --out of the measurement that was stopped");
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private List<ConnectorSpec> subjects() throws ToolException, InterruptedException {
        List<ConnectorSpec> subjects = new ArrayList<>();
        ConnectorFolder ours = new ConnectorFolder(Bench.root(), "sinks");
        for (String config : configs.isEmpty() && peers.isEmpty() ? List.of("jsonb") : configs) {
            subjects.addAll(new Variants(set, vary).of(ours.read(config, plugin)));
        }
        ConnectorFolder theirs = new ConnectorFolder(Bench.root(), "peers");
        for (String peer : peers) {
            subjects.add(theirs.read(peer, plugin));
        }
        return subjects;
    }

    private static Path freshFolder() {
        String now = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneId.systemDefault()));
        return Bench.root().resolve("benchmarks/target/results/sink-" + now);
    }
}
