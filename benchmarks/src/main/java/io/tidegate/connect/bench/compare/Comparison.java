package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.util.List;
import java.util.stream.Stream;

/**
 * The changes of what two result folders have in common.
 *
 * @param missing entrants that only one of them has
 */
public record Comparison(List<Change> changes, List<String> missing) {
    /** With two runs each an interval is no more than the two. */
    private static final int FEWEST_RUNS = 3;

    private static final List<Measure> COMPARED = List.of(
            Measure.STEADY_RATE,
            Measure.WORKER_CPU,
            Measure.BROKER_CPU,
            Measure.SERVER_CPU,
            Measure.RETRIES,
            Measure.NANOS,
            Measure.ALLOCATED);

    /**
     * Compares entrant by entrant.
     *
     * @param threshold how much worse a median may be, as a part of it
     */
    public static Comparison of(Results before, Results after, double threshold) {
        List<String> old = labels(before);
        List<String> fresh = labels(after);
        List<Change> changes = old.stream()
                .filter(fresh::contains)
                .flatMap(
                        label -> COMPARED.stream().flatMap(measure -> change(label, measure, before, after, threshold)))
                .toList();
        List<String> missing = Stream.concat(
                        old.stream()
                                .filter(label -> !fresh.contains(label))
                                .map(label -> label + " (only in the first)"),
                        fresh.stream()
                                .filter(label -> !old.contains(label))
                                .map(label -> label + " (only in the second)"))
                .toList();
        return new Comparison(changes, missing);
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
        Verdict verdict = Math.min(old.size(), fresh.size()) < FEWEST_RUNS
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

    /** Of figures above 0 alone: a ratio to nothing says nothing. */
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
