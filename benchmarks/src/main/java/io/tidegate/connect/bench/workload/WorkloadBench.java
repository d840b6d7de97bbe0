package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.testbed.DiskSpace;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.Series;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.testkit.process.ServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures a load until its last record is stored. Each measured phase is a run. Only the main thread uses it. */
public final class WorkloadBench {
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);
    private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);
    /** If the generator is later than this, the run is noisy. */
    private static final double MAX_LAG_MS = 1000;

    private static final double MICROS = 1e6;

    private final WorkloadFile load;
    private final LoadTest test;
    private final Generator generator;
    private final Journal journal;
    private final List<Sample> samples = new ArrayList<>();
    private final double begin;
    private double lastPrinted;
    private double lastHealthCheck;
    private double lastProgressSeconds;
    private long lastProgress = -1;
    private long stored;

    /** A load that is about to begin. */
    public WorkloadBench(WorkloadFile load, LoadTest test, Generator generator, Journal journal) {
        this.load = load;
        this.test = test;
        this.generator = generator;
        this.journal = journal;
        begin = test.seconds() + (generator.startMicros() - Timetable.nowMicros()) / MICROS;
    }

    /** Returns when all accepted records are stored. */
    public void untilAllIsStored() throws ToolException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (!sample()) {
                never.await(Recorder.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ServerException e) {
            Interruption.unwrap(e);
            throw e;
        }
    }

    private boolean sample() throws ToolException {
        Generator.Sending sending = generator.sample();
        Sample sample = test.sample();
        sample = sample.withLoad(offered(sample.seconds() - begin, sending), sending.accepted());
        samples.add(sample);
        boolean checks = sample.seconds() - lastHealthCheck > HEALTH_INTERVAL.toSeconds();
        lastHealthCheck = checks ? sample.seconds() : lastHealthCheck;
        Optional<String> problem = sending.failure().or(() -> checks ? test.problem() : Optional.empty());
        if (problem.isPresent()) {
            throw new ToolException(problem.get() + DiskSpace.remark());
        }
        if (sample.stored() != lastProgress) {
            lastProgress = sample.stored();
            lastProgressSeconds = sample.seconds();
        }
        say(sample);
        return sending.done() && isStored(sending.accepted(), sample.seconds());
    }

    private boolean isStored(long accepted, double seconds) throws ToolException {
        stored = test.stored();
        if (stored > accepted) {
            throw new ToolException("the store holds " + stored + " records, but the broker accepted only " + accepted);
        }
        if (stored < accepted && seconds - lastProgressSeconds > STALL_TIMEOUT.toSeconds()) {
            throw new ToolException("the store holds " + stored + " of " + accepted
                    + " records, and nothing was stored for " + STALL_TIMEOUT.toSeconds() + " s" + DiskSpace.remark());
        }
        return stored == accepted;
    }

    /** The records that are due so far; for an unbounded load, the records that were sent. */
    private long offered(double elapsed, Generator.Sending sending) {
        List<Phase> shapes = load.shapes();
        return shapes.stream().anyMatch(Phase::isUnbounded) ? sending.sent() : Phase.due(shapes, elapsed);
    }

    private void say(Sample sample) {
        if (sample.seconds() - lastPrinted >= PROGRESS_INTERVAL.toSeconds()) {
            lastPrinted = sample.seconds();
            journal.say(Figures.format(
                    "%4.0f of %.0f s: %,d records due, %,d accepted",
                    sample.seconds() - begin, Phase.seconds(load.shapes()), sample.offered(), sample.accepted()));
        }
    }

    /** Ends the load early. The records that are stored now scale the samples. */
    public void cancel() throws ToolException {
        stored = test.stored();
    }

    /** A run for each measured phase that is over. Phases with the same name are rounds. */
    public List<Run> runs() throws ToolException {
        if (samples.isEmpty()) {
            return List.of();
        }
        Series scaled = Series.of(samples, stored);
        double end = samples.get(samples.size() - 1).seconds();
        Optional<Latencies> latencies = latencies();
        List<Run> runs = new ArrayList<>();
        Map<String, Integer> rounds = new LinkedHashMap<>();
        double from = begin;
        for (int i = 0; i < load.phases().size(); i++) {
            LoadPhase phase = load.phases().get(i);
            double to = from + phase.shape().seconds();
            if (phase.counted() && to <= end) {
                Map<String, Double> measures = rates(scaled, from, to);
                measures.put(Measure.GENERATOR_LAG.key(), generator.lagMillis(i));
                if (!phase.shape().isUnbounded()) {
                    measures.put(
                            Measure.OFFERED.key(),
                            phase.shape().records() / phase.shape().seconds());
                }
                int index = i;
                latencies
                        .flatMap(all -> all.of(index))
                        .ifPresent(found -> found.forEach((key, value) -> measures.put(key.key(), value)));
                int round = rounds.merge(phase.name(), 1, Integer::sum);
                boolean late = !phase.shape().isUnbounded() && generator.lagMillis(i) > MAX_LAG_MS;
                runs.add(new Run(
                        label(phase), round, Run.OK, late, measures, runs.isEmpty() ? scaled.samples() : List.of()));
            }
            from = to;
        }
        return runs;
    }

    String label(LoadPhase phase) {
        return test.entrant().label() + ": " + phase.name();
    }

    /** Each phase is a separate entrant, so that their values are not mixed. */
    public List<CandidateInfo> entrants() {
        CandidateInfo own = test.entrant();
        return load.phases().stream()
                .filter(LoadPhase::counted)
                .map(phase -> new CandidateInfo(label(phase), own.kind(), own.store(), own.tasks(), own.config()))
                .distinct()
                .toList();
    }

    private Optional<Latencies> latencies() throws ToolException {
        Optional<PostgresQueries> queries = test.queries();
        return queries.isPresent()
                ? Optional.of(Latencies.read(queries.get(), load.phases().size(), test.watch()))
                : Optional.empty();
    }

    private static Map<String, Double> rates(Series series, double from, double to) {
        Map<String, Double> rates = new LinkedHashMap<>();
        rates.put(Measure.OFFERED.key(), series.rate(Sample::offered, from, to));
        rates.put(Measure.ACCEPTED.key(), series.rate(Sample::accepted, from, to));
        double stored = series.rate(Sample::stored, from, to);
        rates.put(Measure.STORED.key(), stored);
        if (stored > 0) {
            rates.put(Measure.WORKER_CPU.key(), series.rate(Sample::workerCpu, from, to) / stored * MICROS);
            rates.put(Measure.SERVER_CPU.key(), series.rate(Sample::serverCpu, from, to) / stored * MICROS);
        }
        return rates;
    }
}
