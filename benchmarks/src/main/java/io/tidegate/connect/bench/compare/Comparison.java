package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.compare.Change.Verdict;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        List<Change> changes = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Entrant entrant : before.entrants()) {
            if (after.entrants().stream().noneMatch(other -> other.label().equals(entrant.label()))) {
                missing.add(entrant.label() + " (only in the first)");
                continue;
            }
            for (Measure measure : COMPARED) {
                change(entrant.label(), measure, before, after, threshold).ifPresent(changes::add);
            }
        }
        after.entrants().stream()
                .filter(entrant -> before.entrants().stream()
                        .noneMatch(other -> other.label().equals(entrant.label())))
                .map(entrant -> entrant.label() + " (only in the second)")
                .forEach(missing::add);
        return new Comparison(List.copyOf(changes), List.copyOf(missing));
    }

    private static Optional<Change> change(
            String label, Measure measure, Results before, Results after, double threshold) {
        List<Double> old = figures(before, label, measure);
        List<Double> fresh = figures(after, label, measure);
        if (old.isEmpty() || fresh.isEmpty()) {
            return Optional.empty();
        }
        Bootstrap.Interval interval = Bootstrap.ofRatio(old, fresh);
        Verdict verdict = Math.min(old.size(), fresh.size()) < FEWEST_RUNS
                ? Verdict.UNKNOWN
                : verdict(measure.better() == Measure.Better.HIGHER, interval, threshold);
        return Optional.of(new Change(label, measure, old.size(), fresh.size(), interval, verdict));
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
