package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Canvas.Anchor;
import io.tidegate.connect.bench.report.Canvas.Corner;
import io.tidegate.connect.bench.report.Canvas.Stroke;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Lines or points over two axes that begin at 0. */
public record LineChart(String xUnit, String yUnit, List<Line> lines) implements Chart {
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

    private double top() {
        return LEGEND_ROW * lines.size() + UNIT_ROW + 6.0;
    }

    @Override
    public double height() {
        return top() + HEIGHT + 38;
    }

    @Override
    public void draw(Canvas canvas) {
        double top = top();
        Axis x = countsOnly() ? Axis.ofCounts(max(Point::x), LEFT, RIGHT) : Axis.upTo(max(Point::x), LEFT, RIGHT);
        Axis y = Axis.upTo(max(Point::high), top + HEIGHT, top);
        for (double tick : y.ticks()) {
            canvas.line(LEFT, y.at(tick), RIGHT, y.at(tick), Stroke.thin(Palette.GRID));
            canvas.text(LEFT - 5, y.at(tick) + 4, y.label(tick), TextStyle.TICK, Anchor.END);
        }
        for (double tick : x.ticks()) {
            canvas.line(x.at(tick), top + HEIGHT, x.at(tick), top + HEIGHT + 4, Stroke.thin(Palette.INK));
            canvas.text(x.at(tick), top + HEIGHT + 17, x.label(tick), TextStyle.TICK, Anchor.MIDDLE);
        }
        canvas.text(4, top - 8, yUnit, TextStyle.UNIT, Anchor.START);
        canvas.text(RIGHT, top + HEIGHT + 33, xUnit, TextStyle.UNIT, Anchor.END);
        for (int i = 0; i < lines.size(); i++) {
            legend(canvas, i);
            draw(canvas, x, y, lines.get(i), Palette.of(i));
        }
    }

    private boolean countsOnly() {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .allMatch(point -> point.x() == Math.rint(point.x()));
    }

    private double max(ToDoubleFunction<Point> figure) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(figure)
                .max()
                .orElse(0);
    }

    private void legend(Canvas canvas, int index) {
        double y = 10 + LEGEND_ROW * index;
        Line line = lines.get(index);
        Palette style = Palette.of(index);
        if (line.joined()) {
            canvas.line(4, y - 4, 28, y - 4, style.stroke());
        }
        if (line.marked()) {
            style.mark(canvas, 16, y - 4);
        }
        canvas.name(34, y, line.name());
    }

    private static void draw(Canvas canvas, Axis x, Axis y, Line line, Palette style) {
        if (line.joined() && !line.points().isEmpty()) {
            canvas.path(
                    line.points().stream()
                            .map(point -> new Corner(x.at(point.x()), y.at(point.y())))
                            .toList(),
                    style.stroke());
        }
        if (line.marked()) {
            for (Point point : line.points()) {
                double at = x.at(point.x());
                canvas.line(at, y.at(point.low()), at, y.at(point.high()), Stroke.thin(style.colour()));
                style.mark(canvas, at, y.at(point.y()));
            }
        }
    }
}
