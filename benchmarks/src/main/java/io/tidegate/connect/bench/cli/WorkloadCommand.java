package io.tidegate.connect.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.bench.input.Payloads;
import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.bench.workload.ConnectorGenerator;
import io.tidegate.connect.bench.workload.Generator;
import io.tidegate.connect.bench.workload.Latencies;
import io.tidegate.connect.bench.workload.LoadTest;
import io.tidegate.connect.bench.workload.ProducerGenerator;
import io.tidegate.connect.bench.workload.WorkloadBench;
import io.tidegate.connect.bench.workload.WorkloadFile;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

/** The options of {@code ./bench workload}. */
@Command(
        name = "workload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Puts a load with a shape on a sink, such as benchmarks/workloads/spike.yaml: constant, rising, in bursts, or as"
                    + " fast as it goes.",
            "Says apart what was offered, accepted by the broker and stored, and how long records took from the moment they"
                    + " were due until PostgreSQL inserted them. (Elasticsearch tells no such moment.)"
        })
public final class WorkloadCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The load.")
    private Path file = Path.of("");

    @Option(
            names = "--config",
            paramLabel = "NAME",
            description =
                    "Another connector than the file says, as for ./bench sink, or no-op for a sink that does nothing.")
    private Optional<String> config = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; by default benchmarks/target/results/workload-FILE.")
    private Optional<Path> out = Optional.empty();

    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

    @Override
    public Integer call() throws ToolException, InterruptedException {
        WorkloadFile load = WorkloadFile.read(file);
        List<byte[]> values = Payloads.of(Bench.root(), load.input(), load.recordBytes());
        PrintWriter said = spec.commandLine().getOut();
        said.println("Starting servers");
        said.flush();
        try (LoadTest stage = LoadTest.open(
                Bench.root(),
                config.orElse(load.config()),
                load.tasks(),
                load.partitions(),
                load.workerHeap(),
                List.of(Latencies.COLUMN))) {
            measure(load, values, stage, said);
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private void measure(WorkloadFile load, List<byte[]> values, LoadTest stage, PrintWriter said)
            throws ToolException, InterruptedException {
        Map<String, String> environment = new LinkedHashMap<>(Environment.of(Bench.root()));
        stage.storeVersion()
                .ifPresent(version -> environment.put(stage.entrant().store(), version));
        try (Generator generator = generator(load, values, stage)) {
            WorkloadBench bench = new WorkloadBench(load, stage, generator, WorkloadBench.Incident.NONE, said);
            boolean complete = false;
            try {
                bench.untilAllIsStored();
                complete = true;
            } finally {
                if (!complete) {
                    bench.breakOff();
                }
                report(bench, complete, environment, settings(load, generator, values), said);
            }
        }
    }

    private static Generator generator(WorkloadFile load, List<byte[]> values, LoadTest stage) throws ToolException {
        return switch (load.generator()) {
            case PRODUCER -> new ProducerGenerator(stage, load, values);
            case CONNECTOR -> new ConnectorGenerator(stage, load, values);
        };
    }

    private void report(
            WorkloadBench bench,
            boolean complete,
            Map<String, String> environment,
            Map<String, String> settings,
            PrintWriter said)
            throws ToolException {
        List<Run> runs = bench.runs();
        Results results = new Results(
                Results.FORMAT,
                "workload",
                Bench.typed(spec),
                started,
                complete,
                environment,
                settings,
                bench.entrants(),
                runs,
                Summary.of(bench.entrants(), runs),
                bench.findings());
        Path folder = out.orElseGet(this::ownFolder).toAbsolutePath();
        HtmlReport.write(folder, results);
        runs.forEach(run -> said.println(line(run)));
        results.findings().forEach(said::println);
        said.println((complete ? "Results: " : "What was found before the end: ") + folder);
        said.flush();
    }

    private static Map<String, String> settings(WorkloadFile load, Generator generator, List<byte[]> values)
            throws ToolException {
        Generator.Sending sending = generator.look();
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("partitions", Integer.toString(load.partitions()));
        settings.put("worker_heap", load.workerHeap());
        settings.put("generator", load.generator().name().toLowerCase(Locale.ROOT));
        settings.put("late_records", load.late().name().toLowerCase(Locale.ROOT));
        settings.put("records_due", Long.toString(Phase.due(load.shapes(), Phase.seconds(load.shapes()))));
        settings.put("records_sent", Long.toString(sending.sent()));
        settings.put("records_accepted", Long.toString(sending.accepted()));
        settings.put("example", new String(values.get(0), UTF_8).substring(0, Math.min(120, values.get(0).length)));
        return settings;
    }

    private static String line(Run run) {
        String rates = String.format(
                Locale.ROOT,
                "%s: offered %,.0f/s, accepted %,.0f/s, stored %,.0f/s",
                run.entrant(),
                run.measure(Measure.OFFERED).orElse(0.0),
                run.measure(Measure.ACCEPTED).orElse(0.0),
                run.measure(Measure.STORED).orElse(0.0));
        String latency = run.measure(Measure.LATENCY_P50)
                .map(median -> String.format(
                        Locale.ROOT,
                        "; latency ms: median %.1f, 99 %% %.1f, highest %.1f",
                        median,
                        run.measure(Measure.LATENCY_P99).orElse(0.0),
                        run.measure(Measure.LATENCY_MAX).orElse(0.0)))
                .orElse("");
        return rates
                + latency
                + (run.noisy() ? "; the generator was the limit: it fell more than a second behind" : "");
    }

    private Path ownFolder() {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        return Bench.root().resolve("benchmarks/target/results/workload-" + name);
    }
}
