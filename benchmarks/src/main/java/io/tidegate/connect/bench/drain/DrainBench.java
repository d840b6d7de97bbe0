package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.TextTable;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs a measurement in rounds, warm-ups first. Each candidate has a turn in each round. Main thread only. */
public final class DrainBench {
    private final DrainPlan plan;
    private final SinkComparison comparison;
    private final Journal journal;
    private final Set<String> failed = new LinkedHashSet<>();

    private DrainBench(SinkComparison comparison, Journal journal) {
        plan = comparison.plan();
        this.comparison = comparison;
        this.journal = journal;
    }

    /**
     * Measures, and prints the results.
     *
     * @throws ToolException also if some runs failed; the results of the others are kept
     */
    public static void measure(SinkComparison comparison, Journal journal) throws ToolException, InterruptedException {
        Results results = new DrainBench(comparison, journal).run();
        journal.say("");
        TextTable.of(results.summary()).forEach(journal::say);
        results.findings().forEach(journal::say);
        journal.sayFolder(true);
        String failures = results.runs().stream()
                .filter(run -> !run.isOk())
                .map(run -> run.entrant() + ": " + run.outcome())
                .collect(Collectors.joining("\n"));
        if (!failures.isEmpty()) {
            throw new ToolException("some runs failed:\n" + failures);
        }
    }

    /** Returns the results, including failed runs. */
    private Results run() throws ToolException, InterruptedException {
        try (SinkComparison closing = comparison;
                TestBed bed = new TestBed(plan.stores(), plan.workerHeap(), plan.workers())) {
            journal.say("Starting servers");
            comparison.prepare(bed);
            bed.start();
            journal.environment().putAll(bed.versions());
            Topic topic = fill(bed.broker());
            rounds(comparison.candidates(new Candidates(bed, topic, new FailureDiagnostics(journal.folder()))));
            Results results = journal.results(true);
            ShortRuns.finding(results).ifPresent(journal.findings()::add);
            return journal.write(true);
        } catch (InterruptedException e) {
            journal.finishEarly();
            throw e;
        } catch (ServerException e) {
            journal.finishEarly();
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        }
    }

    private Topic fill(Kafka broker) throws ToolException, InterruptedException {
        journal.say("Filling the topic with " + plan.records() + " records");
        broker.createTopic(Topic.NAME, plan.partitions());
        Topic topic =
                Topic.fill(broker.bootstrapServers(), Topic.NAME, plan.partitions(), plan.source(), plan.records());
        if (topic.records() < topic.partitions()) {
            throw new ToolException("the topic is too small: " + topic.records() + " records for " + topic.partitions()
                    + " partitions. Use more --records or fewer --partitions");
        }
        journal.say(Figures.format(
                "  %,d records of %.0f bytes on average, %d partitions",
                topic.records(), topic.bytesPerRecord(), topic.partitions()));
        Map<String, String> settings = journal.settings();
        settings.put("records", Long.toString(topic.records()));
        settings.put("record_bytes_avg", Figures.format("%.1f", topic.bytesPerRecord()));
        settings.put("partitions", Integer.toString(topic.partitions()));
        settings.put("runs", Integer.toString(plan.runs()));
        settings.put("worker_heap", plan.workerHeap());
        settings.put("workers", Integer.toString(plan.workers()));
        settings.put("input", plan.input());
        return topic;
    }

    private void rounds(List<Candidate> candidates) throws ToolException, InterruptedException {
        candidates.forEach(candidate -> journal.entrants().add(candidate.entrant()));
        addEarlierRuns();
        Progress progress = new Progress(candidates.size() * (plan.warmUps() + plan.runs()));
        for (int round = 1 - plan.warmUps(); round <= plan.runs(); round++) {
            for (Candidate candidate : candidates) {
                String label = candidate.entrant().label();
                if (failed.contains(label) || isDone(label, round)) {
                    progress.skip();
                    continue;
                }
                Run run = candidate.run(round);
                journal.runs().add(run);
                if (!run.isOk()) {
                    failed.add(label);
                }
                journal.say(progress.line(run));
                journal.writeMeanwhile();
            }
        }
    }

    /** Adds the runs of an earlier call that was interrupted. */
    private void addEarlierRuns() throws ToolException {
        ResultFiles files = new ResultFiles(journal.folder());
        if (plan.resume() && files.exist()) {
            journal.runs().addAll(ResumedRuns.runs(files.read(), journal.results(false)));
            journal.say("  " + journal.runs().size() + " runs are already done");
        }
    }

    /** A warm-up counts as done if all runs that follow it are done. */
    private boolean isDone(String label, int round) {
        long done = journal.runs().stream()
                .filter(run -> run.entrant().equals(label) && (round < 1 || run.round() == round))
                .filter(Run::counts)
                .count();
        return done == (round < 1 ? plan.runs() : 1);
    }

    /** Describes the progress of the measurement and the estimated time left. */
    private static final class Progress {
        private final long start = System.nanoTime();
        private final int total;
        private int done;
        private int measured;

        Progress(int total) {
            this.total = total;
        }

        void skip() {
            done++;
        }

        String line(Run run) {
            done++;
            measured++;
            long left = Math.round((System.nanoTime() - start) / 1e9 / measured * (total - done));
            String what = run.isOk()
                    ? Figures.format(
                            "%,9.0f records/s, CPU s per million: worker %.1f, broker %.1f, server %.1f%s",
                            run.measure(Measure.STEADY_RATE).orElse(0.0),
                            run.measure(Measure.WORKER_CPU).orElse(0.0),
                            run.measure(Measure.BROKER_CPU).orElse(0.0),
                            run.measure(Measure.SERVER_CPU).orElse(0.0),
                            run.noisy() ? "  (noisy)" : "")
                    : "FAILED: " + run.outcome();
            String round = run.round() < 1 ? "warm-up" : "run " + run.round();
            return Figures.format("[%d/%d, %d s left] %s, %s: %s", done, total, left, run.entrant(), round, what);
        }
    }
}
