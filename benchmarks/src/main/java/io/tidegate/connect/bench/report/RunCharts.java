package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Chart.Line;
import io.tidegate.connect.bench.report.Chart.Point;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The charts over time, drawn from the samples of the runs. */
record RunCharts(List<Run> runs) {
    private static final double SMOOTHING_SECONDS = 1;

    Stream<Optional<Chart>> all() {
        List<Run> loads = runs.stream().filter(RunCharts::isLoad).toList();
        Stream<Optional<Chart>> rates = loads.isEmpty()
                ? Stream.of(overTime("Rate through the run", "records/s", run -> rate(run, Sample::stored)))
                : loads.stream().map(run -> load(run, loads.size() == 1));
        return Stream.concat(
                rates,
                Stream.of(
                        overTime("Records still to store", "records", run -> curve(run, sample -> lag(run, sample))),
                        overTime("Worker heap", "MB", run -> curve(run, Sample::heapMb))));
    }

    private static boolean isLoad(Run run) {
        return run.series().stream().anyMatch(sample -> sample.offered() > 0);
    }

    /** The rates over time at which records were due, accepted by the broker, and stored. */
    private static Optional<Chart> load(Run run, boolean alone) {
        return Chart.ofLines(
                "Offered, accepted and stored" + (alone ? "" : ", from \"" + run.entrant() + "\" on"),
                "s",
                "records/s",
                List.of(
                        new Line("offered", rate(run, Sample::offered), false),
                        new Line("accepted by the broker", rate(run, Sample::accepted), false),
                        new Line("stored", rate(run, Sample::stored), false)),
                "A gap between the lines shows that the generator, the broker or the sink falls behind.");
    }

    private Optional<Chart> overTime(String title, String unit, Function<Run, List<Point>> curve) {
        Map<String, Line> lines = new LinkedHashMap<>();
        for (Run run : runs) {
            if (run.counts() && run.series().size() > 1) {
                List<Point> points = curve.apply(run);
                if (points.stream().anyMatch(point -> point.y() > 0)) {
                    lines.putIfAbsent(run.entrant(), new Line(run.entrant(), points, false));
                }
            }
        }
        return Chart.ofLines(
                title,
                "s since the connector was created",
                unit,
                List.copyOf(lines.values()),
                "Shows the first run of each candidate after its warm-up.");
    }

    /** Records that are not stored yet: in a load test of those accepted so far, in a drain of all records. */
    private static double lag(Run run, Sample sample) {
        return isLoad(run)
                ? Math.max(0, sample.accepted() - sample.stored())
                : run.series().get(run.series().size() - 1).stored() - sample.stored();
    }

    private static List<Point> curve(Run run, ToDoubleFunction<Sample> figure) {
        return run.series().stream()
                .map(sample -> Point.of(sample.seconds(), figure.applyAsDouble(sample)))
                .toList();
    }

    /** Calculates each rate over about a second, because rates between single samples are too noisy. */
    private static List<Point> rate(Run run, ToDoubleFunction<Sample> counter) {
        List<Point> points = new ArrayList<>();
        List<Sample> series = run.series();
        int left = 0;
        for (int right = 1; right < series.size(); right++) {
            Sample last = series.get(right);
            while (left + 1 < right && last.seconds() - series.get(left + 1).seconds() >= SMOOTHING_SECONDS) {
                left++;
            }
            Sample first = series.get(left);
            double seconds = last.seconds() - first.seconds();
            if (seconds > 0) {
                double records = counter.applyAsDouble(last) - counter.applyAsDouble(first);
                points.add(Point.of(last.seconds(), records / seconds));
            }
        }
        return points;
    }
}
