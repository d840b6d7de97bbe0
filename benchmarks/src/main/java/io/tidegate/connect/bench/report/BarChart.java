package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.Spread;
import java.util.List;
import java.util.Locale;

/** Horizontal bars of medians, each under its name, with a whisker from the lowest to the highest run. */
record BarChart(String unit, List<Bar> bars) {
    private static final int WIDTH = 420;
    private static final int RIGHT = WIDTH - 70;
    private static final int ROW = 38;
    private static final int TOP = 6;

    /** @param aside whether it is no contestant but a bound, and drawn grey */
    record Bar(String name, Spread spread, boolean aside) {}

    String svg(String title) {
        double max = bars.stream().mapToDouble(bar -> bar.spread().max()).max().orElse(0);
        Axis axis = Axis.upTo(max, 4, RIGHT);
        Svg svg = new Svg(WIDTH);
        double bottom = TOP + ROW * bars.size();
        for (double tick : axis.ticks()) {
            svg.line(axis.at(tick), TOP, axis.at(tick), bottom, "stroke=\"" + Palette.GRID + "\"");
            svg.text(axis.at(tick), bottom + 14, axis.label(tick), "text-anchor=\"middle\" class=\"tick\"");
        }
        for (int i = 0; i < bars.size(); i++) {
            draw(svg, axis, bars.get(i), TOP + ROW * i);
        }
        svg.text(RIGHT, bottom + 30, unit, "text-anchor=\"end\" class=\"unit\"");
        return svg.drawn(bottom + 36, title);
    }

    private static void draw(Svg svg, Axis axis, Bar bar, double top) {
        Spread spread = bar.spread();
        String colour = bar.aside() ? Palette.FLOOR : Palette.BLUE.colour();
        double middle = top + 26;
        svg.name(4, top + 13, bar.name());
        svg.rect(axis.at(0), middle - 7, axis.at(spread.median()) - axis.at(0), 14, "fill=\"" + colour + "\"");
        if (spread.runs() > 1) {
            svg.line(axis.at(spread.min()), middle, axis.at(spread.max()), middle, whisker());
            svg.line(axis.at(spread.min()), middle - 4, axis.at(spread.min()), middle + 4, whisker());
            svg.line(axis.at(spread.max()), middle - 4, axis.at(spread.max()), middle + 4, whisker());
        }
        svg.text(axis.at(spread.max()) + 6, middle + 4, number(spread.median()), "class=\"value\"");
    }

    private static String whisker() {
        return "stroke=\"" + Palette.INK + "\" stroke-width=\"1.5\"";
    }

    /** With as many digits as a reader has use for. */
    static String number(double figure) {
        if (figure >= 1000 || figure == Math.rint(figure)) {
            return String.format(Locale.ROOT, "%,.0f", figure);
        }
        return String.format(Locale.ROOT, figure >= 10 ? "%.1f" : "%.2f", figure);
    }
}
