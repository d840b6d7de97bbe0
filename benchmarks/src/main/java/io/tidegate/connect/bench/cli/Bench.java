package io.tidegate.connect.bench.cli;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ProgramVersion;
import io.tidegate.connect.testkit.process.JvmEnd;
import java.nio.file.Path;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. An error that the user can fix goes to standard error without a stack trace. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Bench.Version.class,
        description = "Measures sink connectors on real servers, which it starts and stops.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:everything was measured",
            "1:something failed; the results so far are kept",
            "2:wrong option",
            "130:Ctrl-C; the results so far are kept"
        })
public final class Bench {
    private Bench() {}

    /**
     * Runs the command and ends the JVM with its status.
     *
     * @param args the user's arguments; the system property {@code tidegate.home} names the checkout
     */
    public static void main(String[] args) {
        Path root = Path.of(System.getProperty("tidegate.home", "."))
                .toAbsolutePath()
                .normalize();
        try (Interruption interruption = Interruption.of(Thread.currentThread(), JvmEnd::beforeServersEnd)) {
            int status = commandLine(root).execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    static CommandLine commandLine(Path root) {
        return PlainErrors.ofScript("bench")
                .of(new CommandLine(new Bench())
                        .addSubcommand(new SinkCommand(root))
                        .addSubcommand(new SweepCommand(root))
                        .addSubcommand(new WorkloadCommand(root))
                        .addSubcommand(new MicroCommand(root))
                        .addSubcommand(new CompareCommand(root))
                        .addSubcommand(new ReportCommand(root))
                        .addSubcommand(new GenerateCompletion()));
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("Tidegate bench");
        }
    }
}
