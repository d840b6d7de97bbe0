package io.tidegate.connect.bench.results;

import java.util.Locale;

/** The medians that findings speak of. */
public record Figures(Results results) {
    /** Of the entrant's runs that count; 0 when it has none. */
    public double of(String entrant, Measure measure) {
        return results.summary().lines().stream()
                .filter(line -> line.entrant().equals(entrant))
                .findFirst()
                .flatMap(line -> line.measure(measure))
                .map(Spread::median)
                .orElse(0.0);
    }

    /** Records a second in the steady part. */
    public double rate(String entrant) {
        return of(entrant, Measure.STEADY_RATE);
    }

    /** A sentence with figures. */
    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
