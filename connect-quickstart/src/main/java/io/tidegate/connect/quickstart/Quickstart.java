package io.tidegate.connect.quickstart;

import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.PlainErrors;
import io.tidegate.connect.tools.ProgramVersion;
import io.tidegate.connect.tools.ToolException;
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

/** The command line. Whatever the user can fix is one line on standard error, without a stack trace. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        versionProvider = Quickstart.Version.class,
        sortOptions = false,
        description = "Streams tide readings from Kafka through the sinks into PostgreSQL and Elasticsearch, on real"
                + " servers that it starts and stops itself.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every record produced is stored exactly once",
            "1:it is not, or something failed",
            "2:wrong option"
        })
final class Quickstart implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int MAX_TASKS = 64;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Readings to stream: a response of NOAA's CO-OPS API, or JSON lines (.jsonl, .ndjson, or any"
                    + " file that begins otherwise). May be repeated. Without it, tides are predicted.")
    private List<Path> input = List.of();

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "How many records: 100000 without --input; with it, all that the files hold.")
    private Optional<Long> records = Optional.empty();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "Tasks of each connector, 1 to 64, instead of what its file says.")
    private Optional<Integer> tasks = Optional.empty();

    @Option(
            names = "--sinks",
            paramLabel = "SINK",
            split = ",",
            converter = SinkByLabel.class,
            description = "jsonb, es, or both, separated by a comma. Both by default.")
    private Set<Sink> sinks = Set.of();

    @Option(names = "--exit", description = "Stop the servers when all is stored, instead of staying up.")
    private boolean exit;

    private final Path root;
    private final View view;

    Quickstart(Path root, View view) {
        this.root = root;
        this.view = view;
    }

    /**
     * Runs the command and ends the JVM with its status.
     *
     * @param args the user's; the system property {@code tidegate.home} is the checkout, {@code tidegate.columns} the width of
     *     the terminal, absent when output is not one
     */
    public static void main(String[] args) {
        PrintStream out = System.out;
        View view = Optional.ofNullable(Integer.getInteger("tidegate.columns"))
                .<View>map(columns -> new TerminalView(out, columns))
                .orElseGet(() -> new PlainView(out));
        try (Interruption interruption = Interruption.of(Thread.currentThread())) {
            int status = commandLine(Path.of(System.getProperty("tidegate.home", ".")), view)
                    .execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    static CommandLine commandLine(Path root, View view) {
        return new PlainErrors("quickstart").of(new CommandLine(new Quickstart(root, view)));
    }

    @Override
    public Integer call() throws Exception {
        Plan plan = plan();
        Memory.check(Memory.neededMb(plan.sinks()), Memory.availableMb());
        List<Result> results = new Run(plan, new Layout(root.toAbsolutePath().normalize()), view).run();
        return results.stream().allMatch(Result::isExact) ? CommandLine.ExitCode.OK : FAILED;
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
                    .orElseThrow(() -> new TypeConversionException("there are jsonb and es, not '" + label + "'"));
        }
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("Tidegate quickstart");
        }
    }
}
