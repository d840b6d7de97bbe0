package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.LineChart.Line;
import io.tidegate.connect.bench.report.LineChart.Point;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The charts over time: what the looks at the runs of a result folder saw. */
final class RunCharts {
    private static final double SMOOTHING_SECONDS = 1;

    private final List<Run> runs;

    RunCharts(List<Run> runs) {
        this.runs = List.copyOf(runs);
    }

    List<Figure> all() {
        List<Figure> all = new ArrayList<>(load());
        all.addAll(throughTheRun());
        return all;
    }

    private static boolean isLoad(Run run) {
        return run.series().stream().anyMatch(sample -> sample.offered() > 0);
    }

    /** What was due, what the broker took and what was stored, second by second; a chart for each load. */
    private List<Figure> load() {
        List<Run> loads = runs.stream().filter(RunCharts::isLoad).toList();
        List<Figure> charts = new ArrayList<>();
        for (Run run : loads) {
            List<Line> lines = List.of(
                    new Line("offered", rate(run, Sample::offered), true, false),
                    new Line("accepted by the broker", rate(run, Sample::accepted), true, false),
                    new Line("stored", rate(run, Sample::stored), true, false));
            String from = loads.size() == 1 ? "" : ", from \"" + run.entrant() + "\" on";
            charts.add(new Figure(
                    "Offered, accepted and stored" + from,
                    new LineChart("s", "records/s", lines),
                    "Offered, accepted and stored rates over time" + from,
                    "Where the lines part, somebody falls behind: the generator or broker, or the sink."));
        }
        return charts;
    }

    private List<Figure> throughTheRun() {
        List<Figure> charts = new ArrayList<>();
        if (runs.stream().noneMatch(RunCharts::isLoad)) {
            overTime("Rate through the run", "records/s", RunCharts::rate).ifPresent(charts::add);
        }
        overTime("Records still to store", "records", run -> curve(run, sample -> lag(run, sample)))
                .ifPresent(charts::add);
        overTime("Worker heap", "MB", run -> curve(run, Sample::heapMb)).ifPresent(charts::add);
        return charts;
    }

    private interface Curve {
        List<Point> of(Run run);
    }

    private Optional<Figure> overTime(String title, String unit, Curve curve) {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Run run : runs) {
            if (run.counts() && run.series().size() > 1) {
                List<Point> drawn = curve.of(run);
                if (drawn.stream().anyMatch(point -> point.y() > 0)) {
                    points.putIfAbsent(run.entrant(), drawn);
                }
            }
        }
        return Charts.unlessEmpty(
                List.copyOf(points.keySet()),
                new Figure(
                        title,
                        new LineChart("s since the connector was created", unit, Charts.lines(points, false)),
                        title,
                        Charts.caption("The first run that counts of each", points)));
    }

    /** Of a load what the broker has and the store has not; of a drain all that is left. */
    private static double lag(Run run, Sample sample) {
        if (isLoad(run)) {
            return Math.max(0, sample.accepted() - sample.stored());
        }
        return run.series().get(run.series().size() - 1).stored() - sample.stored();
    }

    private static List<Point> curve(Run run, ToDoubleFunction<Sample> figure) {
        return run.series().stream()
                .map(sample -> Point.of(sample.seconds(), figure.applyAsDouble(sample)))
                .toList();
    }

    /** Over about a second each: looks are too close for their differences to be smooth. */
    private static List<Point> rate(Run run) {
        return rate(run, Sample::stored);
    }

    private static List<Point> rate(Run run, ToLongFunction<Sample> counter) {
        List<Point> points = new ArrayList<>();
        List<Sample> series = run.series();
        int left = 0;
        for (int right = 1; right < series.size(); right++) {
            while (left + 1 < right
                    && series.get(right).seconds() - series.get(left + 1).seconds() >= SMOOTHING_SECONDS) {
                left++;
            }
            double seconds = series.get(right).seconds() - series.get(left).seconds();
            if (seconds > 0) {
                points.add(Point.of(
                        series.get(right).seconds(),
                        (counter.applyAsLong(series.get(right)) - counter.applyAsLong(series.get(left))) / seconds));
            }
        }
        return points;
    }
}
