package io.tidegate.connect.bench;

import io.tidegate.connect.bench.compare.CompareCommand;
import io.tidegate.connect.bench.jmh.MicroCommand;
import io.tidegate.connect.bench.plan.PlanCommand;
import io.tidegate.connect.bench.report.ReportCommand;
import io.tidegate.connect.bench.sink.SinkCommand;
import io.tidegate.connect.bench.sweep.SweepCommand;
import io.tidegate.connect.bench.tides.TideInputException;
import io.tidegate.connect.bench.workload.WorkloadCommand;
import java.io.PrintWriter;
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
import picocli.CommandLine.ParameterException;

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
        exitCodeList = {"0:all was measured", "1:something failed; what was found is kept", "2:wrong option"})
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
        return new CommandLine(new Bench())
                .setParameterExceptionHandler(Bench::refuse)
                .setExecutionExceptionHandler(Bench::fail);
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
        boolean namesItself = !arguments.isEmpty() && arguments.get(0).equals(spec.name());
        return Stream.concat(
                        Stream.of("./bench", spec.name()), arguments.stream().skip(namesItself ? 1 : 0))
                .map(argument -> argument.matches("[\\w./:=,+%@-]+") ? argument : "'" + argument + "'")
                .collect(Collectors.joining(" "));
    }

    private static int refuse(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        say(command, e.getMessage() + " (see ./" + command.getCommandSpec().qualifiedName() + " --help)");
        return CommandLine.ExitCode.USAGE;
    }

    private static int fail(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        if (e instanceof ParameterException wrong) {
            return refuse(wrong, new String[0]);
        }
        if (e instanceof InterruptedException) {
            say(command, "stopped");
        } else if (e instanceof BenchException || e instanceof TideInputException) {
            say(command, e.getMessage());
        } else {
            e.printStackTrace(command.getErr());
        }
        return FAILED;
    }

    private static void say(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        err.println("bench: " + message);
        err.flush();
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
