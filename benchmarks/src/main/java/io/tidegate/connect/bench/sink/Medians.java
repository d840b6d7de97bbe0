package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import java.util.Locale;
import java.util.Optional;

/** The figures that findings speak of. */
record Medians(Results results) {
    /** Of the entrant's runs that count; empty when it has none. */
    Optional<Double> of(String entrant, Measure measure) {
        return results.summary().lines().stream()
                .filter(line -> line.entrant().equals(entrant))
                .findFirst()
                .flatMap(line -> line.measure(measure))
                .map(Spread::median);
    }

    double rate(String entrant) {
        return of(entrant, Measure.STEADY_RATE).orElse(0.0);
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
