package io.tidegate.connect.bench.cli;

import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.PlainErrors;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;

/** The command line. Whatever the user can mend is said on standard error without a stack trace. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Bench.Version.class,
        description = "Measures sink connectors on real servers that it starts and stops itself.",
        subcommands = {
            SinkCommand.class,
            SweepCommand.class,
            WorkloadCommand.class,
            MicroCommand.class,
            PlanCommand.class,
            CompareCommand.class,
            ReportCommand.class,
            GenerateCompletion.class
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all was measured",
            "1:something failed; what was found is kept",
            "2:wrong option",
            "130:Ctrl-C; what was found is kept"
        })
public final class Bench {
    public static final int FAILED = 1;

    private Bench() {}

    /**
     * Runs the command and ends the JVM with its status.
     *
     * @param args the user's; the system property {@code tidegate.home} is the checkout
     */
    public static void main(String[] args) {
        try (Interruption interruption = Interruption.of(Thread.currentThread())) {
            int status = commandLine().execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    static CommandLine commandLine() {
        return new PlainErrors("bench").of(new CommandLine(new Bench()).addSubcommand(ScenarioCommand.commandLine()));
    }

    /** The checkout. */
    public static Path root() {
        return Path.of(System.getProperty("tidegate.home", "."))
                .toAbsolutePath()
                .normalize();
    }

    /** What to type to run the same subcommand again. */
    public static String typed(CommandSpec spec) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        int named = arguments.indexOf(spec.name());
        return Stream.concat(
                        Stream.of(("./" + spec.qualifiedName(" ")).split(" ", -1)),
                        arguments.stream().skip(named + 1L))
                .map(argument -> argument.matches("[\\w./:=,+%@-]+") ? argument : "'" + argument + "'")
                .collect(Collectors.joining(" "));
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "Tidegate bench "
                        + Optional.ofNullable(Bench.class.getPackage().getImplementationVersion())
                                .orElse("(unpackaged)")
            };
        }
    }
}
