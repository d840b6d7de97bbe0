package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Canvas.Anchor;
import io.tidegate.connect.bench.report.Canvas.Stroke;
import io.tidegate.connect.bench.results.Spread;
import java.util.List;
import java.util.Locale;

/** Horizontal bars of medians, each under its name, with a whisker from the lowest to the highest run. */
record BarChart(String unit, List<Bar> bars) implements Chart {
    private static final int RIGHT = WIDTH - 70;
    private static final int ROW = 38;
    private static final int TOP = 6;
    private static final Stroke WHISKER = new Stroke(Palette.INK, 1.5, List.of());

    /** @param aside whether it is no contestant but a bound, and drawn grey */
    record Bar(String name, Spread spread, boolean aside) {}

    @Override
    public double height() {
        return bottom() + Axis.UNDER;
    }

    private double bottom() {
        return TOP + ROW * bars.size();
    }

    @Override
    public void draw(Canvas canvas) {
        double max = bars.stream().mapToDouble(bar -> bar.spread().max()).max().orElse(0);
        Axis axis = Axis.upTo(max, 4, RIGHT);
        axis.drawUnder(canvas, TOP, bottom(), unit);
        for (int i = 0; i < bars.size(); i++) {
            draw(canvas, axis, bars.get(i), TOP + ROW * i);
        }
    }

    private static void draw(Canvas canvas, Axis axis, Bar bar, double top) {
        Spread spread = bar.spread();
        String colour = bar.aside() ? Palette.FLOOR : Palette.BLUE.colour();
        double middle = top + 26;
        double low = axis.at(spread.min());
        double high = axis.at(spread.max());
        canvas.name(4, top + 13, bar.name());
        canvas.rect(axis.at(0), middle - 7, axis.at(spread.median()) - axis.at(0), 14, colour);
        if (spread.runs() > 1) {
            canvas.line(low, middle, high, middle, WHISKER);
            canvas.line(low, middle - 4, low, middle + 4, WHISKER);
            canvas.line(high, middle - 4, high, middle + 4, WHISKER);
        }
        canvas.text(high + 6, middle + 4, number(spread.median()), TextStyle.VALUE, Anchor.START);
    }

    /** With as many digits as a reader has use for. */
    static String number(double figure) {
        if (figure >= 1000 || figure == Math.rint(figure)) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure >= 10 ? "%.1f" : "%.2f", figure);
    }
}
