package io.tidegate.connect.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.Variants;
import io.tidegate.connect.bench.records.Payloads;
import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.workload.Generator;
import io.tidegate.connect.bench.workload.LoadTest;
import io.tidegate.connect.bench.workload.Phase;
import io.tidegate.connect.bench.workload.WorkloadBench;
import io.tidegate.connect.bench.workload.WorkloadFile;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench workload}. */
@Command(
        name = "workload",
        description = {
            "Sends a load to a sink as a YAML file describes it, such as benchmarks/workloads/spike.yaml: constant,"
                    + " rising, in bursts, or as fast as possible.",
            "Reports the offered, accepted and stored rates, and the latency of records from the time when they were"
                    + " due until PostgreSQL inserted them. (Elasticsearch does not report that time.)"
        })
final class WorkloadCommand extends BenchCommand {
    @Parameters(paramLabel = "FILE", description = "The YAML file.")
    private Path file = Path.of("");

    @Option(
            names = "--config",
            paramLabel = "NAME",
            description = "Replaces the connector of the file, as for ./bench sink; no-op does nothing.")
    private Optional<String> config = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Changes a setting of the connector. May be repeated.")
    private List<String> set = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default benchmarks/target/results/workload-FILE.")
    private Optional<Path> out = Optional.empty();

    WorkloadCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        WorkloadFile load = WorkloadFile.read(file);
        List<byte[]> values = Payloads.of(root(), load.input(), load.recordBytes());
        Journal journal = journal(folder(out, nameFor("workload", file)));
        ConnectorSpec spec = new Variants(set, List.of())
                .of(LoadTest.spec(root(), config.orElse(load.config())))
                .get(0);
        journal.say("Starting servers");
        try (LoadTest test = LoadTest.open(spec, load)) {
            journal.environment().putAll(test.versions());
            try (Generator generator = new Generator(test, load, values)) {
                WorkloadBench bench = new WorkloadBench(load, test, generator, journal);
                measure(load, bench, journal, generator, values);
            }
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        }
        return ExitCode.OK;
    }

    private static void measure(
            WorkloadFile load, WorkloadBench bench, Journal journal, Generator generator, List<byte[]> values)
            throws ToolException, InterruptedException {
        boolean complete = false;
        try {
            bench.untilAllIsStored();
            complete = true;
        } finally {
            if (!complete) {
                bench.cancel();
            }
            describe(journal.settings(), load, generator.sample(), values);
            journal.entrants().addAll(bench.entrants());
            journal.runs().addAll(bench.runs());
            journal.write(complete);
            journal.runs().forEach(run -> journal.say(line(run)));
            journal.sayFolder(complete);
        }
    }

    private static void describe(
            Map<String, String> settings, WorkloadFile load, Generator.Sending sending, List<byte[]> values) {
        settings.put("partitions", Integer.toString(load.partitions()));
        settings.put("worker_heap", load.workerHeap());
        settings.put("latency_until", load.watchCommits() ? "visible" : "inserted");
        settings.put("late_records", load.late().name().toLowerCase(Locale.ROOT));
        settings.put("records_due", Long.toString(Phase.due(load.shapes(), Phase.seconds(load.shapes()))));
        settings.put("records_sent", Long.toString(sending.sent()));
        settings.put("records_accepted", Long.toString(sending.accepted()));
        settings.put("example", new String(values.get(0), UTF_8).substring(0, Math.min(120, values.get(0).length)));
    }

    private static String line(Run run) {
        String rates = Figures.format(
                "%s: offered %,.0f/s, accepted %,.0f/s, stored %,.0f/s",
                run.entrant(),
                run.measure(Measure.OFFERED).orElse(0.0),
                run.measure(Measure.ACCEPTED).orElse(0.0),
                run.measure(Measure.STORED).orElse(0.0));
        String latency = run.measure(Measure.LATENCY_P50)
                .map(median -> Figures.format(
                        "; latency ms: median %.1f, 99 %% %.1f, highest %.1f",
                        median,
                        run.measure(Measure.LATENCY_P99).orElse(0.0),
                        run.measure(Measure.LATENCY_MAX).orElse(0.0)))
                .orElse("");
        String cost = Figures.format(
                "; CPU s per million: worker %.1f, server %.1f",
                run.measure(Measure.WORKER_CPU).orElse(0.0),
                run.measure(Measure.SERVER_CPU).orElse(0.0));
        return rates
                + latency
                + cost
                + (run.noisy() ? "; the generator was the limit: it fell more than a second behind" : "");
    }
}
