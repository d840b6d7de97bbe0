package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.jmh.Jmh;
import io.tidegate.connect.bench.jmh.JmhResults;
import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench micro}. Results are written after every benchmark, so Ctrl-C keeps them. */
@Command(
        name = "micro",
        description = {
            "Runs the JMH benchmarks of benchmarks/micro: the cost of mapping, encoding, batching and the"
                    + " bulk path, in ns and allocated heap bytes per record.",
            "A run in the results is an iteration of JMH. JMH's own output goes to jmh.log in the same folder."
        })
final class MicroCommand extends BenchCommand {
    private static final List<String> QUICK = List.of("-f", "1", "-wi", "2", "-w", "1", "-i", "3", "-r", "1");

    @Parameters(
            paramLabel = "PATTERN",
            arity = "0..*",
            description =
                    "Regular expressions for benchmark names, such as BulkPath; all by default. Options of JMH follow"
                            + " after --, such as: BulkPath -- -f 3 -p records=1000")
    private List<String> arguments = List.of();

    @Option(
            names = "--quick",
            description = "Uses one fork and three iterations of one second: a quick test, not for comparisons.")
    private boolean quick;

    @Option(names = "--list", description = "Lists the benchmarks and runs none.")
    private boolean list;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default benchmarks/target/results/micro.")
    private Optional<Path> out = Optional.empty();

    MicroCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        Path folder = folder(out, "micro");
        Jmh jmh = new Jmh(root(), emptyLog(folder));
        List<String> benchmarks = jmh.benchmarks(arguments);
        if (benchmarks.isEmpty()) {
            throw new ToolException("no benchmark name matches " + String.join(" ", arguments));
        }
        if (list) {
            benchmarks.forEach(out()::println);
            out().flush();
            return ExitCode.OK;
        }
        Journal journal = journal(folder);
        if (!options().isEmpty()) {
            journal.settings().put("jmh_options", String.join(" ", options()));
        }
        long begin = System.nanoTime();
        for (int i = 0; i < benchmarks.size(); i++) {
            JmhResults fresh;
            try {
                fresh = JmhResults.of(jmh.run(benchmarks.get(i), options()));
            } catch (ToolException | InterruptedException e) {
                journal.finishEarly();
                throw e;
            }
            journal.entrants().addAll(fresh.entrants());
            journal.runs().addAll(fresh.runs());
            journal.writeMeanwhile();
            double left = (System.nanoTime() - begin) / 1e9 / (i + 1) * (benchmarks.size() - i - 1);
            journal.say(Figures.format("[%d/%d, %.0f s left]", i + 1, benchmarks.size(), left));
            lines(fresh).forEach(journal::say);
        }
        journal.write(true);
        journal.sayFolder(true);
        return ExitCode.OK;
    }

    private static Path emptyLog(Path folder) throws ToolException {
        try {
            Files.createDirectories(folder);
            return Files.writeString(folder.resolve("jmh.log"), "");
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** JMH's options: all arguments from the first one that starts with a dash. Patterns come before them. */
    private List<String> options() {
        List<String> options = new ArrayList<>(quick ? QUICK : List.of());
        arguments.stream().dropWhile(argument -> !argument.startsWith("-")).forEach(options::add);
        return options;
    }

    private static List<String> lines(JmhResults results) {
        return Summary.of(results.entrants(), results.runs()).lines().stream()
                .map(line -> Figures.format(
                        "  %-58s %s ns %s bytes",
                        line.entrant(),
                        line.measure(Measure.NANOS)
                                .map(nanos -> nanos.format("%,11.1f (%,.1f-%,.1f)"))
                                .orElse("-"),
                        line.measure(Measure.ALLOCATED)
                                .map(bytes -> bytes.format("%,12.0f"))
                                .orElse("-")))
                .toList();
    }
}
