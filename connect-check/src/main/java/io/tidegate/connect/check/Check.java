package io.tidegate.connect.check;

import io.tidegate.connect.check.draw.Plot;
import io.tidegate.connect.check.event.Happenings;
import io.tidegate.connect.check.mutation.Mutation;
import io.tidegate.connect.check.mutation.MutationRun;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Outcome;
import io.tidegate.connect.check.sink.Sinks;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.PlainErrors;
import io.tidegate.connect.cli.ProgramVersion;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.JvmEnd;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        description = "Draws configurations, records, events and faults for a sink, runs them on real servers, and"
                + " compares the store and the dead letters with an oracle.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:no case failed; with --mutations, every defect was found",
            "1:a case failed; with --mutations, a defect was not found",
            "2:wrong option, an error that the message explains, or cases that could not be compared: one of --repeat, or more"
                    + " than a tenth of a run"
        })
public final class Check implements Callable<Integer> {
    private static final int FAILED = 2;
    private static final int MOST_FAILURES = 20;
    private static final int MOST_NOT_COMPARED = 10; // each tenth case
    private static final double NANOS_PER_MINUTE = 60e9;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "5",
            description = "How long to draw cases, for each defect with --mutations. Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "The seed of the run. Default: the time.")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--sink",
            paramLabel = "SINK",
            description = "jsonb, es, or a JSON file like those of benchmarks/peers with promises. May be repeated."
                    + " Default: jsonb and es.")
    private List<String> sinks = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "SINK:SEED",
            description = "Runs the case of this seed once, such as jsonb:4711, or the case in this JSON file. May be"
                    + " repeated.")
    private List<String> repeat = List.of();

    @Option(
            names = "--reduce",
            description = "Makes each failing case smaller, and prints a test of it. Takes some minutes for each.")
    private boolean reduce;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "6",
            description = "How many cases run at once. Default: ${DEFAULT-VALUE}.")
    private int atOnce;

    @Option(
            names = "--quiet-servers",
            description = "Draws no faults of servers that all cases share, such as a killed worker.")
    private boolean quiet;

    @Option(names = "--opensearch", description = "Runs OpenSearch instead of Elasticsearch.")
    private boolean openSearch;

    @Option(
            names = "--vectors",
            description =
                    "Runs a PostgreSQL that has pgvector and Elasticsearch 9, with columns and mappings for vectors.")
    private boolean vectors;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes what was drawn and what met, as JSON.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--mutations",
            arity = "0..1",
            fallbackValue = "connect-check/mutations",
            paramLabel = "DIR",
            description = "Puts the defects of connect-check/mutations, or of this folder, back into a copy of the"
                    + " checkout, one at a time, and measures the time until a case fails.")
    private Optional<Path> mutations = Optional.empty();

    private Check() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        try (Interruption interruption = Interruption.of(Thread.currentThread(), JvmEnd::beforeServersEnd)) {
            int status = new PlainErrors("check", "./", FAILED)
                    .of(new CommandLine(new Check()))
                    .execute(args);
            interruption.close();
            System.exit(status);
        }
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Path home = Path.of(System.getProperty("tidegate.home", "."));
        Plot plot = new Plot(Happenings.all(!quiet));
        if (mutations.isPresent()) {
            return mutate(home, plot, out);
        }
        if (vectors && openSearch) {
            throw new ToolException("--vectors does not go with --opensearch: the mapping is one of Elasticsearch");
        }
        Sinks checked = Sinks.of(sinks, home, plot, vectors);
        try (Bench bench = Bench.start(checked, openSearch, command(), home, out)) {
            if (!repeat.isEmpty()) {
                return repeated(bench, checked, out);
            }
            long run = seed.orElseGet(System::currentTimeMillis);
            out.println("The seed of this run is " + run + ".");
            Session session = new Session(bench.runner(), checked.draws(), atOnce, out);
            long start = System.nanoTime();
            try {
                session.run(run, Duration.ofMillis((long) (minutes * 60_000)), MOST_FAILURES);
            } finally {
                report(session, checked, run, (System.nanoTime() - start) / NANOS_PER_MINUTE, out);
            }
            for (Outcome failed : session.failed()) {
                bench.explain(failed, reduce, out);
            }
            return status(session, out);
        }
    }

    private static int status(Session session, PrintWriter out) {
        if (!session.failed().isEmpty()) {
            return 1;
        }
        if (session.done() == 0) {
            out.println("No case was run.");
            return FAILED;
        }
        int not = session.refused().size();
        if (not * MOST_NOT_COMPARED > session.done() || not == session.done()) {
            out.println("Too many cases could not be compared: the lines with \"not run\" give the reasons.");
            return FAILED;
        }
        return 0;
    }

    /** How the user began this run, without what chooses cases. */
    private String command() {
        StringBuilder command = new StringBuilder("./check");
        if (openSearch) {
            command.append(" --opensearch");
        }
        if (vectors) {
            command.append(" --vectors");
        }
        sinks.forEach(sink -> command.append(" --sink ").append(sink));
        return command.toString();
    }

    private void report(Session session, Sinks checked, long run, double after, PrintWriter out) throws ToolException {
        Results results = new Results(session, checked, out);
        results.print(after);
        if (report.isPresent()) {
            Interruption.defer(() -> results.write(report.get(), run, after));
        }
    }

    private int mutate(Path home, Plot plot, PrintWriter out) throws ToolException, InterruptedException {
        MutationRun.Search search = (sink, checkout) -> {
            Sinks mutated = Sinks.of(sink.equals("both") ? List.of() : List.of(sink), checkout, plot, vectors);
            try (Bench bench = Bench.start(mutated, openSearch, command(), home, out)) {
                long start = System.nanoTime();
                Session session = new Session(bench.runner(), mutated.draws(), atOnce, out);
                session.run(seed.orElse(1L), Duration.ofMillis((long) (minutes * 60_000)), 1);
                return session.firstFailure()
                        .map(first -> new MutationRun.Found(
                                Duration.ofNanos(first.at() - start),
                                "cases",
                                first.outcome().planned().seed(),
                                first.outcome().differences().get(0).toString()));
            }
        };
        List<Mutation> all = Mutation.in(home.resolve(mutations.orElseThrow()));
        return new MutationRun(home, out).run(all, search) ? 0 : 1;
    }

    private int repeated(Bench bench, Sinks checked, PrintWriter out)
            throws ToolException, IOException, InterruptedException {
        List<CheckCase> cases = new ArrayList<>();
        for (String one : repeat) {
            CheckCase planned =
                    one.endsWith(".json") ? CheckCase.parse(Files.readString(Path.of(one))) : drawn(one, checked);
            checked.require(planned.sink());
            cases.add(planned);
        }
        boolean failed = false;
        boolean isCompared = true;
        for (CheckCase planned : cases) {
            Outcome outcome = bench.runner().run(planned);
            failed |= outcome.failed();
            isCompared &= outcome.refusal().isEmpty();
            out.println("%s seed %d: %s".formatted(planned.sink(), planned.seed(), Results.word(outcome)));
            if (outcome.failed()) {
                bench.explain(outcome, reduce, out);
            }
        }
        return failed ? 1 : isCompared ? 0 : FAILED;
    }

    private static CheckCase drawn(String text, Sinks checked) throws ToolException {
        int colon = text.lastIndexOf(':');
        try {
            String sink = colon < 0 ? checked.all().get(0).kind().name() : text.substring(0, colon);
            return checked.draw(sink).draw(Long.parseLong(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new ToolException("not a seed such as jsonb:4711, and no JSON file: " + text, e);
        }
    }

    static final class Version extends ProgramVersion {
        Version() {
            super("check");
        }
    }
}
