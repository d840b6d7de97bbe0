package io.tidegate.connect.bench.chart;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A linear scale from 0 to a round number.
 *
 * @param top the round number at the end
 * @param step the distance between ticks: 1, 2 or 5 times a power of ten
 * @param from the pixel position of 0
 * @param to the pixel position of {@code top}
 */
public record Axis(double top, double step, double from, double to) {
    private static final int MAX_TICKS = 5;

    /**
     * Makes an axis that ends at or above the largest value. If that value is 0, the axis ends at 1.
     *
     * @param leastStep the smallest step between ticks: 1 for counts, else 0
     */
    static Axis upTo(double max, double leastStep, double from, double to) {
        double wanted = max > 0 && Double.isFinite(max) ? max : 1;
        double step = Math.pow(10, Math.floor(Math.log10(wanted / MAX_TICKS)));
        for (double factor : new double[] {2, 2.5, 2}) {
            if (wanted / step > MAX_TICKS) {
                step *= factor;
            }
        }
        step = Math.max(leastStep, step);
        return new Axis(Math.ceil(wanted / step - 1e-9) * step, step, from, to);
    }

    double at(double figure) {
        return from + figure / top * (to - from);
    }

    List<Double> ticks() {
        return DoubleStream.iterate(0, tick -> tick <= top + step / 2, tick -> tick + step)
                .boxed()
                .toList();
    }

    /** Formats a tick as short as the step allows: 25k, 1.5M, 0.05. */
    String label(double figure) {
        double unit = step >= 1e5 ? 1e6 : step >= 1e3 ? 1e3 : 1;
        String number = String.format(Locale.ROOT, "%.3f", figure / unit).replaceFirst("\\.?0+$", "");
        return number + (figure == 0 || unit == 1 ? "" : unit == 1e3 ? "k" : "M");
    }

    /** Formats a value with fewer decimals the larger it is. */
    public static String number(double figure) {
        if (figure >= 1000 || figure == Math.rint(figure)) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure >= 10 ? "%.1f" : "%.2f", figure);
    }
}
