package io.tidegate.connect.bench.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Horizontal bars. Each has its name above and its value at the end, and a whisker if the spread is known.
 *
 * @param parts the names of the parts of a stacked bar, at most three; empty for simple bars
 */
public record BarChart(String unit, List<String> parts, List<Bar> bars) {
    private static final int RIGHT = Svg.WIDTH - 70;
    private static final int ROW_HEIGHT = 38;
    private static final int AXIS_HEIGHT = 36;
    private static final int MIN_LABEL_WIDTH = 34;
    private static final String WHISKER = "stroke-width='1.5' stroke='" + Svg.INK + "'";

    /** Dark, medium and light, so that they also differ in a black-and-white print. */
    private static final List<String> COLOURS = List.of(Svg.BLUE, Svg.ORANGE, Svg.YELLOW);

    /**
     * One bar.
     *
     * @param figures one value for each part
     * @param low the start of the whisker
     * @param reference whether the bar is a no-op sink or a raw client, not a competitor; such a bar is grey
     */
    public record Bar(String name, List<Double> figures, double low, double high, boolean reference) {
        public static Bar stacked(String name, List<Double> figures) {
            return new Bar(name, figures, 0, 0, false);
        }

        double sum() {
            return figures.stream().mapToDouble(Double::doubleValue).sum();
        }

        double end() {
            return Math.max(sum(), high);
        }
    }

    Svg draw() {
        double top = parts.isEmpty() ? 6 : 24;
        double bottom = top + ROW_HEIGHT * bars.size();
        Svg svg = new Svg(bottom + AXIS_HEIGHT);
        double max = bars.stream().mapToDouble(Bar::end).max().orElse(0);
        Axis axis = Axis.upTo(max, 0, 4, RIGHT);
        double x = 4;
        for (int i = 0; i < parts.size(); i++) {
            part(svg, i, x, 4, 12, 12);
            svg.text(x + 17, 14, parts.get(i), Svg.PLAIN);
            x += 32 + Svg.width(parts.get(i));
        }
        for (double tick : axis.ticks()) {
            svg.line(axis.at(tick), top, axis.at(tick), bottom, Svg.GRID);
            svg.text(axis.at(tick), bottom + 14, axis.label(tick), Svg.SMALL + Svg.MIDDLE);
        }
        svg.text(RIGHT, bottom + 30, unit, Svg.SMALL + Svg.END);
        for (int i = 0; i < bars.size(); i++) {
            draw(svg, axis, bars.get(i), top + ROW_HEIGHT * i);
        }
        return svg;
    }

    private void draw(Svg svg, Axis axis, Bar bar, double top) {
        svg.begin(tip(bar));
        svg.name(4, top + 13, bar.name());
        if (parts.isEmpty()) {
            String colour = bar.reference() ? Svg.GREY : Svg.BLUE;
            svg.rect(axis.at(0), top + 19, axis.at(bar.sum()) - axis.at(0), 14, "fill='" + colour + "'");
        } else {
            stack(svg, axis, bar, top);
        }
        if (bar.high() > bar.low()) {
            double low = axis.at(bar.low());
            double high = axis.at(bar.high());
            svg.line(low, top + 26, high, top + 26, WHISKER);
            svg.line(low, top + 22, low, top + 30, WHISKER);
            svg.line(high, top + 22, high, top + 30, WHISKER);
        }
        svg.text(axis.at(bar.end()) + 6, top + 30, Axis.number(bar.sum()), Svg.BOLD);
        svg.end();
    }

    private static void stack(Svg svg, Axis axis, Bar bar, double top) {
        double left = axis.at(0);
        for (int i = 0; i < bar.figures().size(); i++) {
            double figure = bar.figures().get(i);
            double width = axis.at(figure) - axis.at(0);
            part(svg, i, left, top + 19, width, 14);
            if (width > MIN_LABEL_WIDTH) {
                String look = "font-size='11' fill='" + (i == 0 ? "white" : "black") + "'" + Svg.MIDDLE;
                svg.text(left + width / 2, top + 30, Axis.number(figure), look);
            }
            left += width;
        }
    }

    private static void part(Svg svg, int part, double x, double y, double width, double height) {
        String look = "fill='" + COLOURS.get(part) + "' stroke='" + Svg.INK + "' stroke-width='0.5'";
        svg.rect(x, y, width, height, look);
    }

    private String tip(Bar bar) {
        List<String> tip = new ArrayList<>(List.of(bar.name() + ": " + Axis.number(bar.sum()) + " " + unit));
        for (int i = 0; i < parts.size(); i++) {
            tip.add(parts.get(i) + " " + Axis.number(bar.figures().get(i)));
        }
        if (bar.high() > bar.low()) {
            tip.add(Axis.number(bar.low()) + " to " + Axis.number(bar.high()));
        }
        return String.join("; ", tip);
    }
}
