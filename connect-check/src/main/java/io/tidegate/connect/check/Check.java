package io.tidegate.connect.check;

import io.tidegate.connect.check.draw.JsonbDraw;
import io.tidegate.connect.check.draw.Plot;
import io.tidegate.connect.check.event.Happenings;
import io.tidegate.connect.check.run.CaseRunner;
import io.tidegate.connect.check.run.Lab;
import io.tidegate.connect.check.run.PostgresAccess;
import io.tidegate.connect.check.sink.JsonbSink;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ProgramVersion;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Check.Version.class,
        description = "Draws configurations, records, events and faults for a sink, runs them on real servers, and compares"
                + " the store and the dead letters with an oracle.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:no case failed", "1:a case failed", "2:wrong option, or an error that the message explains"})
public final class Check implements Callable<Integer> {
    private static final int FAILED = 2;

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "M", defaultValue = "5", description = "How long to draw cases. Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "The seed of the run. Default: the time.")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--at-once", paramLabel = "N", defaultValue = "6", description = "How many cases run at once. Default: ${DEFAULT-VALUE}.")
    private int atOnce;

    private Check() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        try (Interruption interruption = Interruption.of(Thread.currentThread())) {
            int status = new PlainErrors("check", "./", FAILED).of(new CommandLine(new Check())).execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Path home = Path.of(System.getProperty("tidegate.home", "."));
        long run = seed.orElseGet(System::currentTimeMillis);
        out.println("Run with seed " + run + ". Starting servers.");
        List<Path> plugins = List.of(home.resolve("connect-jsonb-sink/target/plugin"));
        try (Lab lab = new Lab(plugins, List.of(new PostgresAccess()))) {
            lab.start();
            CaseRunner runner = new CaseRunner(lab, Map.of(JsonbSink.NAME, new JsonbSink()), Happenings.byName());
            Session session = new Session(runner, List.of(new JsonbDraw(new Plot(Happenings.ALL))), atOnce, out);
            session.run(run, Duration.ofMillis((long) (minutes * 60_000)), 20);
            out.println(session.done() + " cases, " + session.failed().size() + " failed");
            return session.failed().isEmpty() ? 0 : 1;
        }
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("check");
        }
    }
}
