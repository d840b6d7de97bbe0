package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.records.Payloads;
import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.workload.Generator;
import io.tidegate.connect.bench.workload.Latencies;
import io.tidegate.connect.bench.workload.LoadPhase;
import io.tidegate.connect.bench.workload.LoadTest;
import io.tidegate.connect.bench.workload.Phase;
import io.tidegate.connect.bench.workload.Timetable;
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
import java.util.function.DoubleConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** The options of {@code ./bench scenario faults}. Results are written after every fault, so Ctrl-C keeps them. */
@Command(
        name = "faults",
        description = {
            "Sends a constant load during a failover of PostgreSQL, a restart of the broker, and a rebalance. Reports"
                    + " the rate, the latency and the longest pause before and after.",
            "The key of a row is its topic, partition and offset, so the store must hold exactly as many rows as the"
                    + " broker accepted records."
        })
final class FaultsScenario extends BenchCommand {
    private static final String CONFIG = "jsonb-keyed";
    private static final String HEAP = "512m";
    private static final int TASKS = 2;
    private static final int PARTITIONS = 4;

    enum Fault {
        /** The primary is killed, and its synchronous standby is promoted. */
        FAILOVER,
        BROKER_RESTART,
        /** A worker joins, and leaves later. */
        REBALANCE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--fault",
            paramLabel = "NAME",
            split = ",",
            description = "The faults to measure, out of ${COMPLETION-CANDIDATES}; all by default.")
    private List<Fault> faults = List.of(Fault.values());

    @Option(names = "--rate", paramLabel = "R", description = "Records per second; 2000 by default.")
    private double rate = 2000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Seconds of load before the fault, half of the seconds after it; 20 by default.")
    private double seconds = 20;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The result folder; by default benchmarks/target/results/scenario-faults.")
    private Optional<Path> out = Optional.empty();

    FaultsScenario(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        require(rate >= 1 && seconds >= 1, "--rate and --seconds must be at least 1");
        List<byte[]> values = Payloads.of(root(), Optional.empty(), Optional.empty());
        Journal journal = journal(folder(out, "scenario-faults"));
        journal.settings().put("rate", Double.toString(rate));
        journal.settings().put("seconds_before", Double.toString(seconds));
        journal.settings().put("config", CONFIG);
        journal.settings().put("replication", "synchronous, one standby");
        for (Fault fault : faults) {
            journal.say(fault + ": starting servers");
            measure(fault, values, journal);
            journal.write(fault == faults.get(faults.size() - 1));
            journal.say("  " + journal.findings().get(journal.findings().size() - 1));
        }
        journal.sayFolder(true);
        return ExitCode.OK;
    }

    private void measure(Fault fault, List<byte[]> values, Journal journal) throws ToolException, InterruptedException {
        WorkloadFile load = load(fault);
        try (LoadTest test = LoadTest.openForFaults(root(), load);
                Generator generator = new Generator(test, load, values)) {
            journal.environment().putAll(test.versions());
            WorkloadBench bench =
                    new WorkloadBench(load, test, generator, new ScheduledFault(fault, test, seconds), journal);
            bench.untilAllIsStored();
            keep(fault, bench, test, generator.sample().accepted(), journal);
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
                false,
                List.of(
                        new LoadPhase("warm-up", new Phase(rate, rate, ScheduledFault.WARM_UP_SECONDS), false),
                        new LoadPhase(fault + ", before", new Phase(rate, rate, seconds), true),
                        new LoadPhase(fault + ", fault and after", new Phase(rate, rate, 2 * seconds), true)));
    }

    private static void keep(Fault fault, WorkloadBench bench, LoadTest test, long accepted, Journal journal)
            throws ToolException {
        Map<Integer, Double> pauses = Latencies.pauses(test.queries().orElseThrow());
        List<Run> fresh = bench.runs();
        int phase = 1; // phase 0 is the warm-up
        for (Run run : fresh) {
            run.measures().put(Measure.PAUSE.key(), pauses.getOrDefault(phase++, 0.0));
        }
        journal.entrants().addAll(bench.entrants());
        journal.runs().addAll(fresh);
        Run after = fresh.get(fresh.size() - 1);
        journal.findings()
                .add(Figures.format(
                        "%s: the longest pause without a new row was %.1f s; before the fault it was %.2f s. The"
                                + " slowest record took %.1f s. All %,d accepted records are stored once.",
                        fault,
                        after.measure(Measure.PAUSE).orElse(0.0),
                        fresh.get(0).measure(Measure.PAUSE).orElse(0.0),
                        after.measure(Measure.LATENCY_MAX).orElse(0.0) / 1e3,
                        accepted));
    }

    /** Causes the fault when its phase begins. */
    private static final class ScheduledFault implements DoubleConsumer {
        static final double WARM_UP_SECONDS = 5;

        private final Fault fault;
        private final LoadTest test;
        private final double begin;
        private final double end;
        private boolean begun;
        private boolean ended;

        ScheduledFault(Fault fault, LoadTest test, double seconds) {
            this.fault = fault;
            this.test = test;
            begin = WARM_UP_SECONDS + seconds;
            end = begin + seconds;
        }

        @Override
        public void accept(double seconds) {
            if (!begun && seconds >= begin) {
                begun = true;
                switch (fault) {
                    case FAILOVER -> test.failOver();
                    case BROKER_RESTART -> test.restartBroker();
                    case REBALANCE -> test.addWorker();
                }
            }
            if (!ended && seconds >= end) {
                ended = true;
                test.removeWorkers();
            }
        }
    }
}
