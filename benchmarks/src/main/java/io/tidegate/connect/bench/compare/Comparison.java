package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Spread;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The changes between two result folders.
 *
 * @param missing the entrants with runs that count in only one folder
 * @param lost whether one of them is in the first
 */
public record Comparison(List<Change> changes, List<String> missing, boolean lost) {
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
     * Compares each entrant of which both folders have a run that counts.
     *
     * @param threshold how much worse a median may get, as a fraction of it
     */
    public static Comparison of(Results before, Results after, Metric metric, double threshold) {
        List<String> old = measured(before);
        List<String> fresh = measured(after);
        List<Change> changes = old.stream()
                .filter(fresh::contains)
                .flatMap(
                        label -> metric.measures().flatMap(measure -> change(label, measure, before, after, threshold)))
                .toList();
        List<String> missing = Stream.concat(
                        old.stream()
                                .filter(label -> !fresh.contains(label))
                                .map(label -> label + " (only in the first)"),
                        fresh.stream()
                                .filter(label -> !old.contains(label))
                                .map(label -> label + " (only in the second)"))
                .toList();
        return new Comparison(changes, missing, !fresh.containsAll(old));
    }

    /** The entrants with a run that counts. */
    private static List<String> measured(Results results) {
        return results.runs().stream()
                .filter(Run::counts)
                .map(Run::entrant)
                .distinct()
                .toList();
    }

    private static Stream<Change> change(
            String label, Measure measure, Results before, Results after, double threshold) {
        List<Double> old = figures(before, label, measure);
        List<Double> fresh = figures(after, label, measure);
        if (old.isEmpty() || fresh.isEmpty()) {
            return Stream.empty();
        }
        Spread was = Spread.of(old);
        Spread is = Spread.of(fresh);
        if (was.median() == 0 && is.median() == 0) {
            return Stream.empty();
        }
        Bootstrap.Interval interval = Bootstrap.ofRatio(old, fresh);
        Verdict verdict = Math.min(was.runs(), is.runs()) < MIN_RUNS
                ? Verdict.UNKNOWN
                : verdict(measure.better() == Measure.Better.HIGHER, interval, threshold);
        return Stream.of(new Change(label, measure, was, is, interval, verdict));
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

    private static List<Double> figures(Results results, String label, Measure measure) {
        return results.runs().stream()
                .filter(run -> run.entrant().equals(label))
                .filter(Run::counts)
                .flatMap(run -> run.measure(measure).stream())
                .toList();
    }

    /** Whether something got worse by more than the threshold, or was not measured again. */
    public boolean hasRegression() {
        return lost || changes.stream().anyMatch(change -> change.verdict() == Verdict.REGRESSION);
    }
}
