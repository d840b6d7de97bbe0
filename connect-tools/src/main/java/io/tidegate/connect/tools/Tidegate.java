package io.tidegate.connect.tools;

import io.tidegate.connect.tools.audit.Audit;
import io.tidegate.connect.tools.command.Interruption;
import io.tidegate.connect.tools.command.PlainErrors;
import io.tidegate.connect.tools.command.ProgramVersion;
import io.tidegate.connect.tools.redrive.RedriveCommand;
import io.tidegate.connect.tools.trial.TryCommand;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. An error that the user can fix goes to standard error without a stack trace. */
@Command(
        name = "tidegate",
        mixinStandardHelpOptions = true,
        versionProvider = Tidegate.Version.class,
        description = "Answers questions about a sink connector from the JSON file that is posted to Connect.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done, and nothing to report",
            "1:done, and there are differences or refused records",
            "2:wrong option, or an error that the message explains"
        })
public final class Tidegate {
    private static final int FAILED = 2;

    private Tidegate() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        quietLog();
        try (Interruption interruption = Interruption.of(Thread.currentThread())) {
            int status = commandLine().execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    /** The clients log to standard error what the commands say in one line. Only what the user sets is kept. */
    private static void quietLog() {
        String level = "org.slf4j.simpleLogger.defaultLogLevel";
        System.setProperty(level, System.getProperty(level, "off"));
    }

    static CommandLine commandLine() {
        return new PlainErrors("tidegate", "", FAILED)
                .of(new CommandLine(new Tidegate())
                        .addSubcommand(new Audit())
                        .addSubcommand(new RedriveCommand())
                        .addSubcommand(new TryCommand())
                        .addSubcommand(new GenerateCompletion()));
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("Tidegate");
        }
    }
}
