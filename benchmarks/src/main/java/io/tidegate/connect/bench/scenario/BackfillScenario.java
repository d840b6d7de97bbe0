package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.command.InputOptions;
import io.tidegate.connect.bench.command.RoundOptions;
import io.tidegate.connect.bench.connector.ConnectorFolder;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.drain.DrainBench;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a backlog as the sink and the store come, with each change that may help, and with all of them. */
@Command(
        name = "backfill",
        description = {
            "Writes a backlog with the defaults, with each change of benchmarks/backfill, and with all of them together.",
            "The time and the CPU of the work after it are included: making indexes, turning the table back to a logged"
                    + " one, a refresh, a checkpoint."
        })
final class BackfillScenario extends BenchCommand implements Experiment {
    private static final long RECORDS = 10_000_000;

    @Option(
            names = "--sink",
            paramLabel = "NAME",
            split = ",",
            description = "The sinks to measure, out of jsonb and es; both by default.")
    private List<String> sinks = List.of("jsonb", "es");

    @Option(names = "--tasks", paramLabel = "N", split = ",", description = "Numbers of tasks; 1 by default.")
    private List<Integer> tasks = List.of(1);

    @Mixin
    private InputOptions input = new InputOptions(RECORDS);

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default benchmarks/target/results/scenario-backfill.")
    private Optional<Path> out = Optional.empty();

    private List<ConnectorSpec> specs = List.of();

    BackfillScenario(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        requireTasks(tasks);
        refuse(input.problem());
        refuse(rounds.problem());
        List<ConnectorSpec> read = new ArrayList<>();
        for (String sink : sinks) {
            read.add(new ConnectorFolder(root(), "sinks").read(sink, Optional.empty()));
        }
        specs = List.copyOf(read);
        DrainBench.measure(
                rounds.plan(root(), specs, tasks, input, false), this, journal(folder(out, "scenario-backfill")));
        return ExitCode.OK;
    }

    @Override
    public List<Candidate> candidates(Candidates make) throws ToolException {
        List<Candidate> all = new ArrayList<>();
        for (ConnectorSpec spec : specs) {
            BackfillFile file = BackfillFile.read(root().resolve("benchmarks/backfill/" + spec.name() + ".yaml"));
            for (int number : tasks) {
                for (BackfillFile.Variant variant : file.variants()) {
                    all.add(make.connector(variant.of(spec), variant.tasks() > 0 ? variant.tasks() : number));
                }
            }
        }
        return all;
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        List<String> findings = new ArrayList<>();
        CandidateInfo base = results.entrants().get(0);
        for (CandidateInfo one : results.entrants()) {
            base = one.family().endsWith(BackfillFile.DEFAULTS) ? one : base;
            double rate = figures.of(one.label(), Measure.WHOLE_RATE);
            double baseRate = figures.of(base.label(), Measure.WHOLE_RATE);
            if (rate > 0 && baseRate > 0) {
                findings.add(Figures.format(
                        "%s: with %.1f s of work after it %,.0f records/s (%.2f x the defaults) and %.1f CPU s of the"
                                + " server per million (%.2f x).",
                        one.label(),
                        figures.of(one.label(), Measure.AFTER),
                        rate,
                        rate / baseRate,
                        figures.of(one.label(), Measure.WHOLE_CPU),
                        figures.of(one.label(), Measure.WHOLE_CPU) / figures.of(base.label(), Measure.WHOLE_CPU)));
            }
        }
        return findings;
    }
}
