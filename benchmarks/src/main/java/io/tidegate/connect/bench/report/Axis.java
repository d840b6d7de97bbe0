package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Canvas.Anchor;
import io.tidegate.connect.bench.report.Canvas.Stroke;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A linear scale from 0 to a round number.
 *
 * @param top the round number at the end
 * @param step between ticks: 1, 2 or 5 times a power of ten
 * @param from where 0 is drawn
 * @param to where {@code top} is drawn
 */
record Axis(double top, double step, double from, double to) {
    private static final int MOST_TICKS = 5;

    /** How much room {@link #drawUnder} takes. */
    static final int UNDER = 36;

    /** An axis that has room for the largest figure; for 0 one that ends at 1. */
    static Axis upTo(double max, double from, double to) {
        return upTo(max, 0, from, to);
    }

    /** Likewise, for things that are counted: no tick lies between 0 and 1. */
    static Axis ofCounts(double max, double from, double to) {
        return upTo(max, 1, from, to);
    }

    private static Axis upTo(double max, double leastStep, double from, double to) {
        double wanted = max > 0 && Double.isFinite(max) ? max : 1;
        double step = Math.pow(10, Math.floor(Math.log10(wanted / MOST_TICKS)));
        for (double factor : new double[] {2, 2.5, 2}) {
            if (wanted / step > MOST_TICKS) {
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
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i * step <= top + step / 2; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    /** Lines up from the ticks of a horizontal axis, and under them the figures and the unit. */
    void drawUnder(Canvas canvas, double top, double bottom, String unit) {
        for (double tick : ticks()) {
            canvas.line(at(tick), top, at(tick), bottom, Stroke.thin(Palette.GRID));
            canvas.text(at(tick), bottom + 14, label(tick), TextStyle.TICK, Anchor.MIDDLE);
        }
        canvas.text(to, bottom + 30, unit, TextStyle.UNIT, Anchor.END);
    }

    /** As short as the step allows: 25k, 1.5M, 0.05. */
    String label(double figure) {
        if (figure == 0) {
            return "0";
        }
        if (step >= 1e5) {
            return trimmed(figure / 1e6) + "M";
        }
        return step >= 1e3 ? trimmed(figure / 1e3) + "k" : trimmed(figure);
    }

    private static String trimmed(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure).replaceFirst("\\.?0+$", "");
    }
}
