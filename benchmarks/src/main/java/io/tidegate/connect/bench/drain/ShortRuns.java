package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reports runs that are too short for reliable rates: there are only five samples a second, and JVMs must warm up. */
final class ShortRuns {
    private static final double MIN_SECONDS = 2;

    /** A run of about this length is long enough. */
    private static final double GOOD_SECONDS = 5;

    private ShortRuns() {}

    static Optional<String> finding(Results results) {
        List<Summary.Line> tooShort = results.summary().lines().stream()
                .filter(line -> seconds(line) < MIN_SECONDS)
                .toList();
        Optional<Double> fastest = tooShort.stream()
                .flatMap(line -> line.measure(Measure.RATE).stream())
                .map(Spread::median)
                .max(Comparator.naturalOrder());
        return fastest.map(rate -> Figures.format(
                "Too few records: runs of %s took less than %.0f s each; their rates are unreliable. Use about %,.0f.",
                tooShort.size() == 1 ? tooShort.get(0).entrant() : tooShort.size() + " candidates",
                MIN_SECONDS,
                rate * GOOD_SECONDS));
    }

    private static double seconds(Summary.Line line) {
        return line.measure(Measure.SECONDS).map(Spread::median).orElse(Double.POSITIVE_INFINITY);
    }
}
