package io.tidegate.connect.bench.chart;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines or points over two axes that begin at 0. Markers and dashes distinguish the lines without colours. */
public record LineChart(String xUnit, String yUnit, List<Line> lines) {
    private static final int LEFT = 46;
    private static final int RIGHT = Svg.WIDTH - 12;
    private static final int HEIGHT = 210;
    private static final int LEGEND_ROW = 17;
    private static final List<String> COLOURS =
            List.of(Svg.BLUE, Svg.ORANGE, "#009E73", "#D55E00", "#CC79A7", "#56B4E9");
    private static final List<String> DASHES = List.of("none", "6 3", "2 3", "8 3 2 3", "4 2", "14 3");

    /** One series. {@code joined} draws a line; {@code marked} draws the points and the spread of each. */
    public record Line(String name, List<Point> points, boolean joined, boolean marked) {}

    /** A point and the range of its value. */
    public record Point(double x, double y, double low, double high) {
        public static Point of(double x, double y) {
            return new Point(x, y, y, y);
        }
    }

    public Svg draw() {
        double top = LEGEND_ROW * lines.size() + 22.0;
        double bottom = top + HEIGHT;
        boolean counts = points().allMatch(point -> point.x() == Math.rint(point.x()));
        Axis x = Axis.upTo(max(Point::x), counts ? 1 : 0, LEFT, RIGHT);
        Axis y = Axis.upTo(max(Point::high), 0, bottom, top);
        Svg svg = new Svg(bottom + 38);
        for (double tick : y.ticks()) {
            svg.line(LEFT, y.at(tick), RIGHT, y.at(tick), Svg.GRID);
            svg.text(LEFT - 5, y.at(tick) + 4, y.label(tick), Svg.SMALL + Svg.END);
        }
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), bottom, x.at(tick), bottom + 4, "stroke='" + Svg.INK + "'");
            svg.text(x.at(tick), bottom + 17, x.label(tick), Svg.SMALL + Svg.MIDDLE);
        }
        svg.text(4, top - 8, yUnit, Svg.SMALL);
        svg.text(RIGHT, bottom + 33, xUnit, Svg.SMALL + Svg.END);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, x, y, i);
        }
        return svg;
    }

    private Stream<Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    private double max(ToDoubleFunction<Point> figure) {
        return points().mapToDouble(figure).max().orElse(0);
    }

    private void draw(Svg svg, Axis x, Axis y, int index) {
        Line line = lines.get(index);
        int look = index % COLOURS.size();
        String stroke =
                "stroke-width='2' stroke='" + COLOURS.get(look) + "' stroke-dasharray='" + DASHES.get(look) + "'";
        double legend = 6 + LEGEND_ROW * index;
        if (line.joined()) {
            svg.line(4, legend, 28, legend, stroke);
            svg.add(
                    "<path fill='none' %s d='%s'/>",
                    stroke,
                    line.points().stream()
                            .map(at -> String.format(Locale.ROOT, "%.1f %.1f", x.at(at.x()), y.at(at.y())))
                            .collect(Collectors.joining("L", "M", "")));
        }
        if (line.marked()) {
            mark(svg, 16, legend, look);
            for (Point point : line.points()) {
                double at = x.at(point.x());
                svg.begin(line.name() + ": " + Axis.number(point.y()) + " " + yUnit + " at " + Axis.number(point.x()));
                svg.line(at, y.at(point.low()), at, y.at(point.high()), "stroke='" + COLOURS.get(look) + "'");
                mark(svg, at, y.at(point.y()), look);
                svg.end();
            }
        }
        svg.name(34, legend + 4, line.name());
    }

    private static void mark(Svg svg, double x, double y, int look) {
        double radius = look % 2 == 0 ? 3.5 : 0.5;
        svg.add(
                "<rect x='%.1f' y='%.1f' width='7' height='7' rx='%.1f' fill='%s'/>",
                x - 3.5, y - 3.5, radius, COLOURS.get(look));
    }
}
