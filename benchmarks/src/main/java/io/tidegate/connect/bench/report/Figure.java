package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.BarChart.Bar;
import io.tidegate.connect.bench.report.LineChart.Line;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A chart with its title and what to know about it. */
public record Figure(String title, Svg chart, String caption) {
    /** More lines in one chart cannot be told apart. */
    private static final int MOST_LINES = 6;

    /** Empty without bars: not everything is measured everywhere. */
    static Optional<Figure> ofBars(String title, String unit, List<String> parts, List<Bar> bars, String caption) {
        return bars.isEmpty()
                ? Optional.empty()
                : Optional.of(new Figure(title, new BarChart(unit, parts, bars).draw(), caption));
    }

    /** Empty without lines. Single points are always drawn; the caption says so when a line is not. */
    static Optional<Figure> ofLines(String title, String xUnit, String yUnit, List<Line> lines, String caption) {
        List<Line> joined = lines.stream().filter(Line::joined).toList();
        if (joined.isEmpty()) {
            return Optional.empty();
        }
        List<Line> drawn = Stream.concat(
                        joined.stream().limit(MOST_LINES), lines.stream().filter(line -> !line.joined()))
                .toList();
        String missing = joined.size() > MOST_LINES
                ? " Only the first " + MOST_LINES + " of " + joined.size() + " lines are drawn."
                : "";
        return Optional.of(new Figure(title, new LineChart(xUnit, yUnit, drawn).draw(), caption + missing));
    }
}
