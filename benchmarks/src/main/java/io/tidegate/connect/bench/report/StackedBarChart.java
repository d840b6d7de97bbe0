package io.tidegate.connect.bench.report;

import java.util.List;

/** Horizontal bars made of parts, each under its name, with the sum behind it. */
record StackedBarChart(String unit, List<String> parts, List<Bar> bars) {
    private static final int WIDTH = 420;
    private static final int RIGHT = WIDTH - 60;
    private static final int ROW = 38;
    private static final int LEGEND = 24;
    private static final int NARROWEST_LABEL = 34;

    /** @param figures one for each part, in the order of the parts */
    record Bar(String name, List<Double> figures) {
        double sum() {
            return figures.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    String svg(String title) {
        double max = bars.stream().mapToDouble(Bar::sum).max().orElse(0);
        Axis axis = Axis.upTo(max, 4, RIGHT);
        Svg svg = new Svg(WIDTH);
        legend(svg);
        double bottom = LEGEND + ROW * bars.size();
        for (double tick : axis.ticks()) {
            svg.line(axis.at(tick), LEGEND, axis.at(tick), bottom, "stroke=\"" + Palette.GRID + "\"");
            svg.text(axis.at(tick), bottom + 14, axis.label(tick), "text-anchor=\"middle\" class=\"tick\"");
        }
        for (int i = 0; i < bars.size(); i++) {
            draw(svg, axis, bars.get(i), LEGEND + ROW * i);
        }
        svg.text(RIGHT, bottom + 30, unit, "text-anchor=\"end\" class=\"unit\"");
        return svg.drawn(bottom + 36, title);
    }

    private void legend(Svg svg) {
        double x = 4;
        for (int i = 0; i < parts.size(); i++) {
            svg.rect(x, 4, 12, 12, "fill=\"" + Palette.of(i).colour() + "\"");
            svg.text(x + 16, 14, parts.get(i), "");
            x += 30 + parts.get(i).length() * 7.0;
        }
    }

    private static void draw(Svg svg, Axis axis, Bar bar, double top) {
        svg.name(4, top + 13, bar.name());
        double from = 0;
        for (int i = 0; i < bar.figures().size(); i++) {
            double figure = bar.figures().get(i);
            double left = axis.at(from);
            double right = axis.at(from + figure);
            svg.rect(left, top + 19, right - left, 14, "fill=\"" + Palette.of(i).colour() + "\" stroke=\"white\"");
            if (right - left > NARROWEST_LABEL) {
                svg.text(
                        (left + right) / 2,
                        top + 30,
                        BarChart.number(figure),
                        "text-anchor=\"middle\" class=\"inside" + (i == 1 ? " dark" : "") + "\"");
            }
            from += figure;
        }
        svg.text(axis.at(bar.sum()) + 5, top + 30, BarChart.number(bar.sum()), "class=\"value\"");
    }
}
