package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The changes between two result folders.
 *
 * @param missing the entrants that only one folder has
 */
public record Comparison(List<Change> changes, List<String> missing) {
    /** With fewer runs an interval says no more than the runs themselves. */
    private static final int MIN_RUNS = 3;

    /** All measures that are compared. */
    static final List<Measure> MEASURES = List.of(
            Measure.STEADY_RATE,
            Measure.WORKER_CPU,
            Measure.BROKER_CPU,
            Measure.SERVER_CPU,
            Measure.RETRIES,
            Measure.NANOS,
            Measure.ALLOCATED);

    /** Which measures are compared. */
    public enum Metric {
        ALL,
        /** The CPU time of worker and server. It is reliable on a busy machine, too. */
        CPU;

        private Stream<Measure> measures() {
            return this == ALL ? MEASURES.stream() : Stream.of(Measure.WORKER_CPU, Measure.SERVER_CPU);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Compares each entrant that both folders have.
     *
     * @param threshold how much worse a median may get, as a fraction of it
     */
    public static Comparison of(Results before, Results after, Metric metric, double threshold) {
        List<String> old = labels(before);
        List<String> fresh = labels(after);
        List<Change> changes = old.stream()
                .filter(fresh::contains)
                .flatMap(
                        label -> metric.measures().flatMap(measure -> change(label, measure, before, after, threshold)))
                .toList();
        List<String> missing = Stream.of(
                        old.stream()
                                .filter(label -> !fresh.contains(label))
                                .map(label -> label + " (only in the first)"),
                        fresh.stream()
                                .filter(label -> !old.contains(label))
                                .map(label -> label + " (only in the second)"),
                        old.stream()
                                .filter(fresh::contains)
                                .filter(label -> !hasRun(before, label) || !hasRun(after, label))
                                .map(label -> label + " (no run that counts in one of them)"))
                .flatMap(each -> each)
                .toList();
        return new Comparison(changes, missing);
    }

    private static boolean hasRun(Results results, String label) {
        return results.runs().stream().anyMatch(run -> run.entrant().equals(label) && run.counts());
    }

    private static List<String> labels(Results results) {
        return results.entrants().stream().map(CandidateInfo::label).toList();
    }

    private static Stream<Change> change(
            String label, Measure measure, Results before, Results after, double threshold) {
        List<Double> old = figures(before, label, measure);
        List<Double> fresh = figures(after, label, measure);
        if (old.isEmpty() || fresh.isEmpty()) {
            return Stream.empty();
        }
        Bootstrap.Interval interval = Bootstrap.ofRatio(old, fresh);
        Verdict verdict = Math.min(old.size(), fresh.size()) < MIN_RUNS
                ? Verdict.UNKNOWN
                : verdict(measure.better() == Measure.Better.HIGHER, interval, threshold);
        return Stream.of(new Change(label, measure, old.size(), fresh.size(), interval, verdict));
    }

    private static Verdict verdict(boolean higherIsBetter, Bootstrap.Interval interval, double threshold) {
        if (interval.low() <= 1 && interval.high() >= 1) {
            return Verdict.SAME;
        }
        if (interval.ratio() > 1 == higherIsBetter) {
            return Verdict.BETTER;
        }
        boolean past = higherIsBetter ? interval.ratio() < 1 - threshold : interval.ratio() > 1 + threshold;
        return past ? Verdict.REGRESSION : Verdict.WORSE;
    }

    /** Only values above 0, because a ratio to 0 has no meaning. */
    private static List<Double> figures(Results results, String label, Measure measure) {
        return results.runs().stream()
                .filter(run -> run.entrant().equals(label))
                .filter(Run::counts)
                .flatMap(run -> run.measure(measure).stream())
                .filter(figure -> figure > 0)
                .toList();
    }

    public boolean hasRegression() {
        return changes.stream().anyMatch(change -> change.verdict() == Verdict.REGRESSION);
    }
}
