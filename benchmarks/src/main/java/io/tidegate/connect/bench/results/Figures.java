package io.tidegate.connect.bench.results;

import java.util.Locale;

/** Formats figures for readers. */
public final class Figures {
    private Figures() {}

    /** Formats a value with fewer decimals the larger it is. */
    public static String number(double figure) {
        return format(figure >= 1000 || figure == Math.rint(figure) ? "%,.0f" : figure >= 10 ? "%.1f" : "%.2f", figure);
    }

    /** Formats numbers the same way on every machine. */
    public static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
