package io.tidegate.connect.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Lines or points over two axes that begin at 0. */
public record LineChart(String xUnit, String yUnit, List<Line> lines) {
    private static final int WIDTH = 420;
    private static final int LEFT = 46;
    private static final int RIGHT = WIDTH - 12;
    private static final int HEIGHT = 210;
    private static final int LEGEND_ROW = 17;
    private static final int UNIT_ROW = 16;

    /** One series. {@code joined} draws a line, {@code marked} its points, with whiskers where the spread is known. */
    public record Line(String name, List<Point> points, boolean joined, boolean marked) {}

    /** A point, and how far its figure spreads. */
    public record Point(double x, double y, double low, double high) {
        public static Point of(double x, double y) {
            return new Point(x, y, y, y);
        }
    }

    /** The drawing; the title is for those who cannot see it. */
    public String svg(String title) {
        double top = LEGEND_ROW * lines.size() + UNIT_ROW + 6.0;
        Axis x = Axis.upTo(max(Point::x), LEFT, RIGHT);
        Axis y = Axis.upTo(max(Point::high), top + HEIGHT, top);
        Svg svg = new Svg(WIDTH);
        for (double tick : y.ticks()) {
            svg.line(LEFT, y.at(tick), RIGHT, y.at(tick), "stroke=\"" + Palette.GRID + "\"");
            svg.text(LEFT - 5, y.at(tick) + 4, y.label(tick), "text-anchor=\"end\" class=\"tick\"");
        }
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), top + HEIGHT, x.at(tick), top + HEIGHT + 4, "stroke=\"" + Palette.INK + "\"");
            svg.text(x.at(tick), top + HEIGHT + 17, x.label(tick), "text-anchor=\"middle\" class=\"tick\"");
        }
        svg.text(4, top - 8, yUnit, "class=\"unit\"");
        svg.text(RIGHT, top + HEIGHT + 33, xUnit, "text-anchor=\"end\" class=\"unit\"");
        for (int i = 0; i < lines.size(); i++) {
            legend(svg, i);
            draw(svg, x, y, lines.get(i), Palette.of(i));
        }
        return svg.drawn(top + HEIGHT + 38, title);
    }

    private double max(ToDoubleFunction<Point> figure) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(figure)
                .max()
                .orElse(0);
    }

    private void legend(Svg svg, int index) {
        double y = 10 + LEGEND_ROW * index;
        Line line = lines.get(index);
        Palette style = Palette.of(index);
        if (line.joined()) {
            svg.line(4, y - 4, 28, y - 4, style.stroke());
        }
        if (line.marked()) {
            style.mark(svg, 16, y - 4);
        }
        svg.name(34, y, line.name());
    }

    private static void draw(Svg svg, Axis x, Axis y, Line line, Palette style) {
        if (line.joined() && !line.points().isEmpty()) {
            StringBuilder path = new StringBuilder();
            for (Point point : line.points()) {
                path.append(String.format(
                        Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x.at(point.x()), y.at(point.y())));
            }
            svg.path(path.toString(), style.stroke());
        }
        if (line.marked()) {
            for (Point point : line.points()) {
                svg.line(
                        x.at(point.x()),
                        y.at(point.low()),
                        x.at(point.x()),
                        y.at(point.high()),
                        "stroke=\"" + style.colour() + "\"");
                style.mark(svg, x.at(point.x()), y.at(point.y()));
            }
        }
    }
}
