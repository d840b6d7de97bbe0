package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.cli.Bench;
import io.tidegate.connect.bench.input.Payloads;
import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.load.Timetable;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.bench.workload.Generator;
import io.tidegate.connect.bench.workload.Latencies;
import io.tidegate.connect.bench.workload.LoadPhase;
import io.tidegate.connect.bench.workload.LoadTest;
import io.tidegate.connect.bench.workload.ProducerGenerator;
import io.tidegate.connect.bench.workload.WorkloadBench;
import io.tidegate.connect.bench.workload.WorkloadFile;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code ./bench scenario faults}. What was found is written after every fault, so an end at any time keeps it. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "A constant load through a failover of PostgreSQL, a restart of the broker, and a rebalance: rate, latency and the"
                    + " longest pause before and after.",
            "Rows have their coordinates in Kafka as key, so the count in the store must be that of the broker exactly."
        })
public final class FaultsScenario implements Callable<Integer> {
    private static final String CONFIG = "jsonb-keyed";
    private static final String HEAP = "512m";
    private static final int TASKS = 2;
    private static final int PARTITIONS = 4;

    /** What happens. */
    enum Fault {
        /** The primary is killed and its synchronous standby promoted. */
        FAILOVER,
        BROKER_RESTART,
        /** A worker joins, and leaves later. */
        REBALANCE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--fault",
            paramLabel = "NAME",
            split = ",",
            description = "Some of ${COMPLETION-CANDIDATES}; all by default.")
    private List<Fault> faults = List.of(Fault.values());

    @Option(names = "--rate", paramLabel = "R", description = "Records a second; 2000 by default.")
    private double rate = 2000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long before the fault, and half of how long after it; 20 by default.")
    private double seconds = 20;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; by default benchmarks/target/results/scenario-faults.")
    private Optional<Path> out = Optional.empty();

    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    @Override
    public Integer call() throws ToolException, InterruptedException {
        if (rate < 1 || seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--rate and --seconds must be at least 1");
        }
        Path folder = out.orElseGet(() -> Bench.root().resolve("benchmarks/target/results/scenario-faults"))
                .toAbsolutePath();
        List<byte[]> values = Payloads.of(Bench.root(), Optional.empty(), Optional.empty());
        Map<String, String> environment = new LinkedHashMap<>(Environment.of(Bench.root()));
        for (Fault fault : faults) {
            say(fault + ": starting servers");
            measure(fault, values, environment);
            HtmlReport.write(folder, results(environment, fault == faults.get(faults.size() - 1)));
            say("  " + findings.get(findings.size() - 1));
        }
        say("Results: " + folder);
        return CommandLine.ExitCode.OK;
    }

    private void measure(Fault fault, List<byte[]> values, Map<String, String> environment)
            throws ToolException, InterruptedException {
        WorkloadFile load = load(fault);
        try (LoadTest stage = LoadTest.openForFaults(
                        Bench.root(), CONFIG, TASKS, PARTITIONS, HEAP, List.of(Latencies.COLUMN));
                Generator generator = new ProducerGenerator(stage, load, values)) {
            stage.storeVersion()
                    .ifPresent(version -> environment.put(stage.entrant().store(), version));
            WorkloadBench bench = new WorkloadBench(
                    load,
                    stage,
                    generator,
                    new Happening(fault, stage, seconds),
                    spec.commandLine().getOut());
            bench.untilAllIsStored();
            keep(fault, bench, stage, generator.look().accepted());
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw new ToolException(fault + ": " + e.getMessage(), e);
        }
    }

    private WorkloadFile load(Fault fault) {
        return new WorkloadFile(
                CONFIG,
                TASKS,
                PARTITIONS,
                HEAP,
                Optional.empty(),
                Optional.empty(),
                Timetable.Late.SEND,
                WorkloadFile.GeneratorKind.PRODUCER,
                1,
                List.of(
                        new LoadPhase("warm-up", new Phase(rate, rate, Happening.WARM_UP_SECONDS), false),
                        new LoadPhase(fault + ", before", new Phase(rate, rate, seconds), true),
                        new LoadPhase(fault + ", fault and after", new Phase(rate, rate, 2 * seconds), true)));
    }

    private void keep(Fault fault, WorkloadBench bench, LoadTest stage, long accepted) throws ToolException {
        Map<Integer, Double> pauses = pauses(stage);
        List<Run> fresh = new ArrayList<>();
        int phase = 1; // behind the warm-up
        for (Run run : bench.runs()) {
            run.measures().put(Measure.PAUSE.key(), pauses.getOrDefault(phase++, 0.0));
            fresh.add(run);
        }
        entrants.addAll(bench.entrants());
        runs.addAll(fresh);
        Run after = fresh.get(fresh.size() - 1);
        findings.add(String.format(
                Locale.ROOT,
                "%s: the longest pause without a new row was %.1f s, and %.2f s before it; the record that waited longest"
                        + " waited %.1f s. All of the %,d records that the broker accepted are stored, each once.",
                fault,
                after.measure(Measure.PAUSE).orElse(0.0),
                fresh.get(0).measure(Measure.PAUSE).orElse(0.0),
                after.measure(Measure.LATENCY_MAX).orElse(0.0) / 1e3,
                accepted));
    }

    private static Map<Integer, Double> pauses(LoadTest stage) throws ToolException {
        try (Connection connection = stage.connect().orElseThrow()) {
            return Latencies.pauses(connection);
        } catch (SQLException e) {
            throw new ToolException("the pauses cannot be read: " + e.getMessage(), e);
        }
    }

    private Results results(Map<String, String> environment, boolean complete) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("rate", Double.toString(rate));
        settings.put("seconds_before", Double.toString(seconds));
        settings.put("config", CONFIG);
        settings.put("replication", "synchronous, one standby");
        return new Results(
                Results.FORMAT,
                "scenario faults",
                Bench.typed(spec),
                started,
                complete,
                environment,
                settings,
                List.copyOf(entrants),
                List.copyOf(runs),
                Summary.of(entrants, runs),
                findings);
    }

    private void say(String line) {
        PrintWriter said = spec.commandLine().getOut();
        said.println(line);
        said.flush();
    }

    /** A fault when its phase begins. */
    private static final class Happening implements WorkloadBench.Incident {
        static final double WARM_UP_SECONDS = 5;

        private final Fault fault;
        private final LoadTest stage;
        private final double begin;
        private final double end;
        private boolean begun;
        private boolean ended;

        Happening(Fault fault, LoadTest stage, double seconds) {
            this.fault = fault;
            this.stage = stage;
            begin = WARM_UP_SECONDS + seconds;
            end = begin + seconds;
        }

        @Override
        public void look(double seconds) {
            if (!begun && seconds >= begin) {
                begun = true;
                switch (fault) {
                    case FAILOVER -> stage.failOver();
                    case BROKER_RESTART -> stage.restartBroker();
                    case REBALANCE -> stage.addWorker();
                }
            }
            if (!ended && seconds >= end) {
                ended = true;
                stage.removeWorkers();
            }
        }
    }
}
