package io.tidegate.connect.bench.results;

import java.util.Locale;

/** Looks up the medians for findings. */
public record Figures(Results results) {
    /** The median over the entrant's counted runs; 0 if there are none. */
    public double of(String entrant, Measure measure) {
        return results.summary().lines().stream()
                .filter(line -> line.entrant().equals(entrant))
                .findFirst()
                .flatMap(line -> line.measure(measure))
                .map(Spread::median)
                .orElse(0.0);
    }

    /** The median of the steady rate, in records/s. */
    public double rate(String entrant) {
        return of(entrant, Measure.STEADY_RATE);
    }

    /** Formats a value with fewer decimals the larger it is. */
    public static String number(double figure) {
        return format(figure >= 1000 || figure == Math.rint(figure) ? "%,.0f" : figure >= 10 ? "%.1f" : "%.2f", figure);
    }

    /** Formats numbers the same way on every machine. */
    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
