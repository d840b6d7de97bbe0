package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.command.InputOptions;
import io.tidegate.connect.bench.command.RoundOptions;
import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.Variants;
import io.tidegate.connect.bench.drain.DrainBench;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.SinkComparison;
import io.tidegate.connect.bench.form.ValueForm;
import io.tidegate.connect.bench.form.ValueForms;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ./bench sink}. */
@Command(
        name = "sink",
        description = {
            "Drains a topic through sink connectors and reports the rate and the cost per record.",
            "Every run has an empty store and a new consumer group, and fails unless the store holds exactly all"
                    + " records. The candidates run in turns, after a warm-up that does not count."
        })
final class SinkCommand extends BenchCommand {
    private static final int MAX_TASKS = 256;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A connector's JSON as posted to a worker, or a name in benchmarks/sinks, such as jsonb (the"
                    + " default), jsonb-keyed, jsonb-upsert, jsonb-exactly-once, es. May be repeated.")
    private List<String> configs = List.of();

    @Option(
            names = "--plugin",
            paramLabel = "DIR",
            description =
                    "The folder for plugin.path, which contains the plugin's folder of jars, if a file names none.")
    private Optional<Path> plugin = Optional.empty();

    @Option(
            names = "--peer",
            paramLabel = "NAME",
            description = "Another project's connector, described in benchmarks/peers/NAME.json and downloaded from"
                    + " Maven Central. May be repeated.")
    private List<String> peers = List.of();

    @Option(
            names = "--vary",
            paramLabel = "KEY=A,B",
            description = "Measures each --config with each of these values of a setting. If repeated: all"
                    + " combinations.")
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

    @Option(
            names = "--value-form",
            paramLabel = "FORM",
            split = ",",
            description =
                    "The forms of the values, each with every --config: bytes (the default), framed (behind a schema"
                            + " registry's frame), string, json (parsed to maps), avro (value.format=avro), avro-converter"
                            + " (Apicurio's), debezium and debezium-schema (change events), debezium-unwrap (Debezium's"
                            + " transform), tombstone.")
    private List<String> forms = List.of(ValueForm.BYTES.toString());

    @Option(
            names = "--no-op-sink",
            description = "Adds a sink that does nothing: the most that the framework can deliver.")
    private boolean withNoOpSink;

    @Option(
            names = "--raw-client",
            description =
                    "Adds a raw client with prepared requests: what the rows alone cost the server, not its top rate.")
    private boolean withRawClient;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default a new one in benchmarks/target/results.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--resume",
            description =
                    "Continues a cancelled measurement. The runs in --out are not repeated; settings, versions and"
                            + " commit must be the same.")
    private boolean resume;

    SinkCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        require(
                !tasks.isEmpty() && tasks.stream().allMatch(n -> n >= 1 && n <= MAX_TASKS),
                "--tasks must be 1 to " + MAX_TASKS);
        require(ValueForm.NAMES.containsAll(forms), "--value-form must be one of " + ValueForm.NAMES);
        refuse(input.problem());
        refuse(rounds.problem());
        require(!resume || out.isPresent(), "--resume needs the --out of the cancelled measurement");
        DrainPlan plan = rounds.plan(root(), specs(), tasks, input, resume);
        String now = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneId.systemDefault()));
        DrainBench.measure(
                new SinkComparison(
                        root(),
                        plan,
                        valueForms(),
                        new ValueForms(root().resolve("benchmarks/target/peers")),
                        withNoOpSink,
                        withRawClient),
                journal(folder(out, "sink-" + now)));
        return ExitCode.OK;
    }

    private List<ValueForm> valueForms() {
        return forms.stream().map(ValueForm::of).toList();
    }

    private List<ConnectorSpec> specs() throws ToolException, InterruptedException {
        List<ConnectorSpec> specs = new ArrayList<>();
        ConnectorFolder ours = new ConnectorFolder(root(), "sinks");
        for (String config : configs.isEmpty() && peers.isEmpty() ? List.of("jsonb") : configs) {
            specs.addAll(new Variants(set, vary).of(ours.read(config, plugin)));
        }
        ConnectorFolder theirs = new ConnectorFolder(root(), "peers");
        for (String peer : peers) {
            specs.add(theirs.read(peer, plugin));
        }
        Set<String> names = new HashSet<>();
        for (ConnectorSpec spec : specs) {
            require(names.add(spec.name()), "two candidates are named " + spec.name() + ": give one another name");
        }
        return specs;
    }
}
