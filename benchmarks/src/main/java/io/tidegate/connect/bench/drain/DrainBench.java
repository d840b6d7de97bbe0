package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.cli.Bench;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Environment;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.bench.results.TextTable;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.testkit.kafka.KafkaBroker;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One measurement: servers, topic, a warm-up round, then rounds in which every contestant has its turn. What was found is
 * written after every run, so an end at any time keeps it. The main thread only.
 */
public final class DrainBench {
    private final DrainPlan plan;
    private final Experiment scenario;
    private final PrintWriter out;
    private final List<Run> runs = new ArrayList<>();
    private final Set<String> failed = new LinkedHashSet<>();
    private final String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    private final Map<String, String> environment;

    private DrainBench(DrainPlan plan, Experiment scenario, Path root, PrintWriter out) throws InterruptedException {
        this.plan = plan;
        this.scenario = scenario;
        this.out = out;
        environment = new LinkedHashMap<>(Environment.of(root));
    }

    /**
     * Measures, and says what was found.
     *
     * @throws ToolException also when some of the runs failed; the others are kept then
     */
    public static void measure(DrainPlan plan, Experiment scenario, PrintWriter out)
            throws ToolException, InterruptedException {
        DrainBench bench = new DrainBench(plan, scenario, Bench.root(), out);
        Results results = bench.run();
        bench.say("");
        TextTable.of(results.summary()).forEach(bench::say);
        results.findings().forEach(bench::say);
        bench.say("Results: " + plan.out());
        if (!results.runs().stream().allMatch(Run::isOk)) {
            throw new ToolException("not everything could be measured:\n" + failures(results));
        }
    }

    /** Returns what was found; runs that failed are part of it. */
    private Results run() throws ToolException, InterruptedException {
        try (Experiment closing = scenario;
                TestBed bed = new TestBed(plan.stores(), plan.workerHeap(), scenario.brokerProperties())) {
            say("Starting servers");
            scenario.prepare(bed);
            bed.start();
            for (MeasuredStore measured : bed.stores()) {
                environment.put(measured.kind().label(), measured.store().version());
            }
            Topic topic = fill(bed.broker());
            return rounds(closing.contestants(bed, topic), topic);
        } catch (InterruptedException e) {
            finishEarly();
            throw e;
        } catch (ServerException e) {
            finishEarly();
            Interruption.unwrap(e);
            throw new ToolException(e.getMessage(), e);
        }
    }

    private Topic fill(KafkaBroker broker) throws ToolException, InterruptedException {
        say("Filling the topic with " + plan.records() + " records");
        broker.createTopic(Topic.NAME, plan.partitions());
        Topic topic =
                Topic.fill(broker.bootstrapServers(), Topic.NAME, plan.partitions(), plan.source(), plan.records());
        if (topic.records() < topic.partitions()) {
            throw new ToolException("the topic is too small: " + topic.records() + " records for " + topic.partitions()
                    + " partitions. Take more records, or fewer --partitions");
        }
        say(String.format(
                Locale.ROOT,
                "  %,d records of %.0f bytes on average, %d partitions",
                topic.records(),
                topic.bytesPerRecord(),
                topic.partitions()));
        return topic;
    }

    private Results rounds(List<Candidate> contestants, Topic topic) throws ToolException, InterruptedException {
        List<Entrant> entrants = contestants.stream().map(Candidate::entrant).toList();
        takeOver(entrants, topic);
        Progress progress = new Progress(contestants.size() * (plan.warmUps() + plan.runs()));
        for (int round = 1 - plan.warmUps(); round <= plan.runs(); round++) {
            for (Candidate contestant : contestants) {
                String label = contestant.entrant().label();
                if (failed.contains(label) || isDone(label, round)) {
                    progress.skip();
                    continue;
                }
                Run run = contestant.run(round);
                runs.add(run);
                if (!run.isOk()) {
                    failed.add(label);
                }
                say(progress.line(run));
                HtmlReport.writeMeanwhile(plan.out(), results(entrants, topic, false));
            }
        }
        Results results = results(entrants, topic, true);
        HtmlReport.write(plan.out(), results);
        return results;
    }

    /** The runs of an earlier call that did not come to its end. */
    private void takeOver(List<Entrant> entrants, Topic topic) throws ToolException {
        ResultFiles files = new ResultFiles(plan.out());
        if (plan.resume() && files.exist()) {
            runs.addAll(ResumedRuns.runs(files.read(), results(entrants, topic, false)));
            say("  " + runs.size() + " runs are there already");
        }
    }

    /** A warm-up counts as done when no run is left that it could be for. */
    private boolean isDone(String label, int round) {
        long done = runs.stream()
                .filter(run -> run.entrant().equals(label) && (round < 1 || run.round() == round))
                .filter(Run::counts)
                .count();
        return done == (round < 1 ? plan.runs() : 1);
    }

    private Results results(List<Entrant> entrants, Topic topic, boolean complete) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("records", Long.toString(topic.records()));
        settings.put("record_bytes_avg", String.format(Locale.ROOT, "%.1f", topic.bytesPerRecord()));
        settings.put("partitions", Integer.toString(topic.partitions()));
        settings.put("runs", Integer.toString(plan.runs()));
        settings.put("worker_heap", plan.workerHeap());
        settings.put("input", plan.input());
        Results results = new Results(
                Results.FORMAT,
                scenario.name(),
                plan.command(),
                started,
                complete,
                environment,
                settings,
                entrants,
                List.copyOf(runs),
                Summary.of(entrants, runs),
                List.of());
        return complete ? results.with(findings(results)) : results;
    }

    private List<String> findings(Results results) {
        List<String> findings = new ArrayList<>();
        ShortRuns.finding(results).ifPresent(findings::add);
        findings.addAll(scenario.findings(results));
        return findings;
    }

    private void finishEarly() throws ToolException {
        if (!runs.isEmpty()) {
            HtmlReport.write(plan.out(), new ResultFiles(plan.out()).read());
            say("What was found before the end: " + plan.out());
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Says where the measurement is and how long it may still take. */
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
                    ? String.format(
                            Locale.ROOT,
                            "%,9.0f records/s, CPU s per million: worker %.1f, broker %.1f, server %.1f%s",
                            run.measure(Measure.STEADY_RATE).orElse(0.0),
                            run.measure(Measure.WORKER_CPU).orElse(0.0),
                            run.measure(Measure.BROKER_CPU).orElse(0.0),
                            run.measure(Measure.SERVER_CPU).orElse(0.0),
                            run.noisy() ? "  (noisy)" : "")
                    : "FAILED: " + run.outcome();
            String round = run.round() < 1 ? "warm-up" : "run " + run.round();
            return String.format(
                    Locale.ROOT, "[%d/%d, %d s left] %s, %s: %s", done, total, left, run.entrant(), round, what);
        }
    }

    private static String failures(Results results) {
        return results.runs().stream()
                .filter(run -> !run.isOk())
                .map(run -> run.entrant() + ": " + run.outcome())
                .collect(Collectors.joining("\n"));
    }
}
