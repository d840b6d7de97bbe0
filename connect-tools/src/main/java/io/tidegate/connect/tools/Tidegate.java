package io.tidegate.connect.tools;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.Output;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ProgramVersion;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.audit.Audit;
import io.tidegate.connect.tools.redrive.RedriveCommand;
import io.tidegate.connect.tools.trial.TryCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

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
            "2:wrong option, or an error that the message explains",
            "141:the program that read the output has ended"
        })
public final class Tidegate {
    private static final int FAILED = 2;

    @Option(
            names = Libraries.OPTION,
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "A folder of jars with converters, configuration providers or identities that are in no"
                    + " plugin.path. May be repeated.")
    @SuppressWarnings("UnusedVariable") // it is read before the command line is
    private List<Path> libraries = List.of();

    @Option(
            names = Context.OPTION,
            paramLabel = "NAME",
            scope = ScopeType.INHERIT,
            description = "Take options that say where things are from the file NAME.properties in ~/.config/tidegate."
                    + " A variable such as TIDEGATE_WORKER has priority, and the command line over both.")
    @SuppressWarnings("UnusedVariable") // it is read before the command line is
    private Optional<String> context = Optional.empty();

    private Tidegate() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        quietLog();
        try (Interruption interruption = Interruption.of(Thread.currentThread())) {
            List<Path> folders =
                    Libraries.folders(args, Context.of(args, System.getenv()).value("lib"));
            int status = folders.isEmpty() ? run(args) : Libraries.run(folders, args);
            interruption.close();
            System.exit(status);
        } catch (ToolException e) {
            System.err.println("tidegate: " + e.getMessage());
            System.exit(FAILED);
        } catch (RuntimeException | Error e) { // the JVM would end with the status of differences
            e.printStackTrace();
            System.exit(FAILED);
        }
    }

    /** Runs the command in the class loader of this class, and returns its status. */
    public static int run(String[] args) throws ToolException {
        return commandLine(Context.of(args, System.getenv()))
                .setOut(Output.of(new FileOutputStream(FileDescriptor.out), Charset.defaultCharset()))
                .execute(args);
    }

    /** The clients log to standard error what the commands say in one line. Only what the user sets is kept. */
    private static void quietLog() {
        String level = "org.slf4j.simpleLogger.defaultLogLevel";
        System.setProperty(level, System.getProperty(level, "off"));
    }

    static CommandLine commandLine(Context context) {
        return new PlainErrors("tidegate", "", FAILED)
                .of(new CommandLine(new Tidegate())
                        .addSubcommand(new Audit())
                        .addSubcommand(new RedriveCommand())
                        .addSubcommand(new TryCommand())
                        .addSubcommand(new GenerateCompletion()))
                .setDefaultValueProvider(context);
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("Tidegate");
        }
    }
}
