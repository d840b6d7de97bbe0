package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.jmh.Jmh;
import io.tidegate.connect.bench.jmh.JmhResults;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.tools.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of {@code ./bench micro}. What was found is written after every benchmark, so an end at any time keeps it. */
@Command(
        name = "micro",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the JMH benchmarks of benchmarks/micro: what mapping, encoding, batching, the pool and the bulk path cost,"
                    + " in ns and bytes of heap allocated for a record.",
            "A run in the results is an iteration of JMH's; its own output goes to jmh.log beside them."
        })
public final class MicroCommand implements Callable<Integer> {
    private static final List<String> QUICK = List.of("-f", "1", "-wi", "2", "-w", "1", "-i", "3", "-r", "1");

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "PATTERN",
            arity = "0..*",
            description =
                    "Regular expressions for names of benchmarks, such as BulkPath; all by default. After -- options"
                            + " of JMH's own, such as: BulkPath -- -f 3 -p records=1000")
    private List<String> arguments = List.of();

    @Option(
            names = "--quick",
            description = "One fork and three iterations of a second: to see that it works, not to compare by.")
    private boolean quick;

    @Option(names = "--list", description = "Says which benchmarks there are, and runs none.")
    private boolean list;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; by default benchmarks/target/results/micro.")
    private Optional<Path> out = Optional.empty();

    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final JmhResults found = new JmhResults(new ArrayList<>(), new ArrayList<>());

    @Override
    public Integer call() throws ToolException, InterruptedException {
        Path folder = out.orElseGet(() -> Bench.root().resolve("benchmarks/target/results/micro"))
                .toAbsolutePath();
        Jmh jmh = new Jmh(Bench.root(), emptyLog(folder));
        List<String> benchmarks = jmh.benchmarks(arguments);
        if (benchmarks.isEmpty()) {
            throw new ToolException("no benchmark's name matches " + String.join(" ", arguments));
        }
        if (list) {
            benchmarks.forEach(this::say);
            return CommandLine.ExitCode.OK;
        }
        Map<String, String> environment = Environment.of(Bench.root());
        long begin = System.nanoTime();
        for (int i = 0; i < benchmarks.size(); i++) {
            JmhResults fresh;
            try {
                fresh = JmhResults.of(jmh.run(benchmarks.get(i), options()));
            } catch (ToolException | InterruptedException e) {
                finishEarly(folder, environment);
                throw e;
            }
            found.entrants().addAll(fresh.entrants());
            found.runs().addAll(fresh.runs());
            HtmlReport.writeMeanwhile(folder, results(environment, i + 1 == benchmarks.size()));
            double left = (System.nanoTime() - begin) / 1e9 / (i + 1) * (benchmarks.size() - i - 1);
            say(String.format(Locale.ROOT, "[%d/%d, %.0f s left]", i + 1, benchmarks.size(), left));
            lines(fresh).forEach(this::say);
        }
        HtmlReport.write(folder, results(environment, true));
        say("Results: " + folder);
        return CommandLine.ExitCode.OK;
    }

    private void finishEarly(Path folder, Map<String, String> environment) throws ToolException {
        if (!found.runs().isEmpty()) {
            HtmlReport.write(folder, results(environment, false));
            say("What was found before the end: " + folder);
        }
    }

    private static Path emptyLog(Path folder) throws ToolException {
        try {
            Files.createDirectories(folder);
            return Files.writeString(folder.resolve("jmh.log"), "");
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** JMH's own among the arguments, which begin with the first that looks like one; patterns select by name before. */
    private List<String> options() {
        List<String> options = new ArrayList<>(quick ? QUICK : List.of());
        arguments.stream().dropWhile(argument -> !argument.startsWith("-")).forEach(options::add);
        return options;
    }

    private Results results(Map<String, String> environment, boolean complete) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!options().isEmpty()) {
            settings.put("jmh_options", String.join(" ", options()));
        }
        List<Entrant> entrants = List.copyOf(found.entrants());
        List<Run> runs = List.copyOf(found.runs());
        return new Results(
                Results.FORMAT,
                spec.name(),
                Bench.typed(spec),
                started,
                complete,
                environment,
                settings,
                entrants,
                runs,
                Summary.of(entrants, runs),
                List.of());
    }

    private static List<String> lines(JmhResults results) {
        return Summary.of(results.entrants(), results.runs()).lines().stream()
                .map(line -> String.format(
                        Locale.ROOT,
                        "  %-58s %s ns %s bytes",
                        line.entrant(),
                        line.measure(Measure.NANOS).map(MicroCommand::spread).orElse("-"),
                        line.measure(Measure.ALLOCATED)
                                .map(bytes -> String.format(Locale.ROOT, "%,12.0f", bytes.median()))
                                .orElse("-")))
                .toList();
    }

    private static String spread(Spread spread) {
        return String.format(Locale.ROOT, "%,11.1f (%,.1f-%,.1f)", spread.median(), spread.min(), spread.max());
    }

    private void say(String line) {
        PrintWriter said = spec.commandLine().getOut();
        said.println(line);
        said.flush();
    }
}
