package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ProgramVersion;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.PlainView;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.TerminalView;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.quickstart.view.WebView;
import io.tidegate.connect.testkit.process.JvmEnd;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line. An error that the user can fix is printed as one line on standard error, without a stack trace. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        versionProvider = Quickstart.Version.class,
        sortOptions = false,
        description = "Streams tide readings from Kafka through the sinks into PostgreSQL and Elasticsearch. "
                + "Starts and stops real servers for this.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every produced record is stored exactly once",
            "1:records are missing or duplicated, or an error occurred",
            "2:invalid option"
        })
final class Quickstart implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int MAX_TASKS = 64;
    private static final int MAX_PORT = 65_535;
    private static final long CHANGED_ROWS = 1_000;
    private static final long LEAST_CHANGED_ROWS = 10;
    private static final long MOST_CHANGED_ROWS = 5_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Readings to stream: a response of NOAA's CO-OPS API, or JSON lines (.jsonl, .ndjson, or "
                    + "any file that does not begin like a response). May be repeated. Default: predicted "
                    + "tides.")
    private List<Path> input = List.of();

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Number of records. Default: all records of the files, or 100000 without --input.")
    private Optional<Long> records = Optional.empty();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "Tasks of each connector, 1 to 64. Default: as in the connector's file.")
    private Optional<Integer> tasks = Optional.empty();

    @Option(
            names = "--sinks",
            paramLabel = "SINK",
            split = ",",
            converter = SinkByLabel.class,
            description = "jsonb, es, or both, separated by a comma. Default: both.")
    private Set<Sink> sinks = Set.of();

    @Option(
            names = "--cdc",
            description = "Change rows in PostgreSQL instead, and follow them through Debezium and Kafka into both "
                    + "stores. Shows the time from commit to commit. --records is the number of rows, 1000 by default.")
    private boolean changes;

    @Option(
            names = "--web",
            arity = "0..1",
            paramLabel = "PORT",
            fallbackValue = "0",
            description =
                    "Show the progress on a page, too. Only this machine can open it, at 127.0.0.1 and this port; "
                            + "default: any free one. The page stays until Ctrl-C. A tab that is open then, or at the end of "
                            + "--exit, keeps the last state.")
    private Optional<Integer> web = Optional.empty();

    @Option(names = "--exit", description = "Stop the servers when all records are stored. Default: keep them running.")
    private boolean exit;

    private final Path root;
    private final View view;

    Quickstart(Path root, View view) {
        this.root = root;
        this.view = view;
    }

    /**
     * Runs the command and ends the JVM with its exit status. The system property {@code tidegate.home} is the
     * checkout. The property {@code tidegate.columns} is the width of the terminal, absent if the output is not a
     * terminal.
     */
    public static void main(String[] args) {
        PrintStream out = System.out;
        View view = Optional.ofNullable(Integer.getInteger("tidegate.columns"))
                .<View>map(columns -> new TerminalView(out, columns))
                .orElseGet(() -> new PlainView(out));
        try (Interruption interruption = Interruption.of(Thread.currentThread(), JvmEnd::beforeServersEnd)) {
            int status = commandLine(Path.of(System.getProperty("tidegate.home", ".")), view)
                    .execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    static CommandLine commandLine(Path root, View view) {
        return PlainErrors.ofScript("quickstart").of(new CommandLine(new Quickstart(root, view)));
    }

    @Override
    public Integer call() throws Exception {
        if (web.isPresent() && (web.get() < 0 || web.get() > MAX_PORT)) {
            throw wrong("--web must be 0 to " + MAX_PORT + ", not " + web.get());
        }
        Pipeline pipeline = changes ? changes() : tides();
        if (web.isEmpty()) {
            return pipeline.run(view) ? CommandLine.ExitCode.OK : FAILED;
        }
        try (WebView page = new WebView(view, web.get(), changes)) {
            page.say("Live view: " + page.address());
            return run(pipeline, page);
        }
    }

    private static int run(Pipeline pipeline, WebView page) throws ToolException, InterruptedException {
        try {
            return pipeline.run(page) ? CommandLine.ExitCode.OK : FAILED;
        } catch (ToolException e) {
            page.fail(e.getMessage());
            throw e;
        }
    }

    /** Whether every record or row is stored as it should be. */
    private interface Pipeline {
        boolean run(View view) throws ToolException, InterruptedException;
    }

    private Pipeline tides() throws ToolException, InterruptedException {
        Plan plan = plan();
        Memory.check(Memory.neededMb(plan.sinks()), Memory.availableMb(), ", or start fewer with --sinks");
        return to -> new Run(plan, layout(), to).run().stream().allMatch(Result::isExact);
    }

    private Layout layout() {
        return new Layout(root.toAbsolutePath().normalize());
    }

    private Pipeline changes() throws ToolException {
        if (!input.isEmpty() || tasks.isPresent() || !sinks.isEmpty()) {
            throw wrong("--cdc takes --records, --web and --exit only");
        }
        long rows = records.orElse(CHANGED_ROWS);
        if (rows < LEAST_CHANGED_ROWS || rows > MOST_CHANGED_ROWS) {
            throw wrong("--records must be " + LEAST_CHANGED_ROWS + " to " + MOST_CHANGED_ROWS + " with --cdc, not "
                    + rows);
        }
        Memory.check(Memory.neededForChangesMb(), Memory.availableMb(), "");
        return to -> new ChangeRun(layout(), to, rows, exit).run();
    }

    private Plan plan() throws ToolException, InterruptedException {
        if (records.isPresent() && records.get() < 1) {
            throw wrong("--records must be at least 1, not " + records.get());
        }
        if (tasks.isPresent() && (tasks.get() < 1 || tasks.get() > MAX_TASKS)) {
            throw wrong("--tasks must be 1 to " + MAX_TASKS + ", not " + tasks.get());
        }
        return Plan.of(
                input,
                records.map(OptionalLong::of).orElseGet(OptionalLong::empty),
                tasks.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                List.copyOf(sinks.isEmpty() ? new LinkedHashSet<>(List.of(Sink.values())) : sinks),
                exit);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    static final class SinkByLabel implements ITypeConverter<Sink> {
        @Override
        public Sink convert(String label) {
            return Arrays.stream(Sink.values())
                    .filter(sink -> sink.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("--sinks takes jsonb and es, not '" + label + "'"));
        }
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("Tidegate quickstart");
        }
    }
}
