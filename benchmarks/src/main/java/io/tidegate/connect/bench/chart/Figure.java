package io.tidegate.connect.bench.chart;

import io.tidegate.connect.bench.chart.BarChart.Bar;
import io.tidegate.connect.bench.chart.LineChart.Line;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A chart with its title and its caption. */
public record Figure(String title, Svg chart, String caption) {
    /** The maximum number of lines in a chart; a reader cannot distinguish more. */
    private static final int MAX_LINES = 6;

    /** Returns empty without bars, because not every benchmark has every measure. */
    public static Optional<Figure> ofBars(
            String title, String unit, List<String> parts, List<Bar> bars, String caption) {
        return bars.isEmpty()
                ? Optional.empty()
                : Optional.of(new Figure(title, new BarChart(unit, parts, bars).draw(), caption));
    }

    /** Returns empty without lines. Points are always drawn. The caption says if lines are left out. */
    public static Optional<Figure> ofLines(String title, String xUnit, String yUnit, List<Line> lines, String caption) {
        List<Line> joined = lines.stream().filter(Line::joined).toList();
        if (joined.isEmpty()) {
            return Optional.empty();
        }
        List<Line> drawn = Stream.concat(
                        joined.stream().limit(MAX_LINES), lines.stream().filter(line -> !line.joined()))
                .toList();
        String missing = joined.size() > MAX_LINES
                ? " Only the first " + MAX_LINES + " of " + joined.size() + " lines are drawn."
                : "";
        return Optional.of(new Figure(title, new LineChart(xUnit, yUnit, drawn).draw(), caption + missing));
    }
}
