package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import java.util.Locale;
import java.util.Optional;

/** The figures that findings speak of. */
public record Figures(Results results) {
    /** Of the entrant's runs that count; empty when it has none. */
    public Optional<Double> of(String entrant, Measure measure) {
        return results.summary().lines().stream()
                .filter(line -> line.entrant().equals(entrant))
                .findFirst()
                .flatMap(line -> line.measure(measure))
                .map(Spread::median);
    }

    public double rate(String entrant) {
        return of(entrant, Measure.STEADY_RATE).orElse(0.0);
    }

    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
