package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.LineChart.Line;
import io.tidegate.connect.bench.report.LineChart.Point;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The charts of a result folder, as far as it has figures for them. */
final class Charts {
    private static final String CONNECTOR = "connector";
    private static final String MICRO = "micro";
    private static final int MOST_LINES = 6;
    private static final double SMOOTHING_SECONDS = 1;

    private final Results results;
    private final Map<String, Entrant> entrants = new LinkedHashMap<>();

    Charts(Results results) {
        this.results = results;
        results.entrants().forEach(entrant -> entrants.put(entrant.label(), entrant));
    }

    String all() {
        return rates() + rateByTasks() + cpu() + latencies() + load() + throughTheRun() + micro();
    }

    private String latencies() {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Summary.Line line : results.summary().lines()) {
            if (line.measure(Measure.LATENCY_P99).isPresent()) {
                Spread spread = new Spread(
                        line.measure(Measure.LATENCY_P50).map(Spread::median).orElse(0.0),
                        line.measure(Measure.LATENCY_P99).get().median(),
                        line.measure(Measure.LATENCY_P999).map(Spread::max).orElse(0.0),
                        2);
                bars.add(new BarChart.Bar(name(line), spread, false));
            }
        }
        return bars.isEmpty()
                ? ""
                : Html.figure(
                        "Latency from the moment a record was due",
                        new BarChart("ms", bars).svg("99th percentile of the latency of each phase"),
                        "The bar ends at 99 %; the whisker goes from the median to 99.9 %.");
    }

    private static boolean isLoad(Run run) {
        return run.series().stream().anyMatch(sample -> sample.offered() > 0);
    }

    /** What was due, what the broker took and what was stored, second by second; a chart for each load. */
    private String load() {
        List<Run> loads = results.runs().stream().filter(Charts::isLoad).toList();
        StringBuilder charts = new StringBuilder();
        for (Run run : loads) {
            List<Line> lines = List.of(
                    new Line("offered", rate(run, Sample::offered), true, false),
                    new Line("accepted by the broker", rate(run, Sample::accepted), true, false),
                    new Line("stored", rate(run, Sample::stored), true, false));
            String from = loads.size() == 1 ? "" : ", from \"" + run.entrant() + "\" on";
            charts.append(Html.figure(
                    "Offered, accepted and stored" + from,
                    new LineChart("s", "records/s", lines).svg("Offered, accepted and stored rates over time" + from),
                    "Where the lines part, somebody falls behind: the generator or broker, or the sink."));
        }
        return charts.toString();
    }

    private String rates() {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Summary.Line line : results.summary().lines()) {
            line.measure(Measure.STEADY_RATE)
                    .ifPresent(spread -> bars.add(new BarChart.Bar(name(line), spread, isAside(line.entrant()))));
        }
        return bars.isEmpty()
                ? ""
                : Html.figure(
                        "Steady rate",
                        new BarChart("records/s", bars).svg("Steady rate of each entrant"),
                        "Median; the whisker goes from the lowest to the highest run. Grey: floor and ceiling.");
    }

    private static String name(Summary.Line line) {
        return line.entrant() + (line.noisyRuns() > 0 ? " *" : "");
    }

    private boolean isAside(String label) {
        return Optional.ofNullable(entrants.get(label))
                .map(entrant -> !entrant.kind().equals(CONNECTOR))
                .orElse(false);
    }

    private String rateByTasks() {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : results.summary().lines()) {
            Optional<Entrant> entrant = Optional.ofNullable(entrants.get(line.entrant()));
            if (entrant.isPresent() && line.measure(Measure.STEADY_RATE).isPresent()) {
                var spread = line.measure(Measure.STEADY_RATE).get();
                points.computeIfAbsent(line.entrant().replaceFirst(", \\d+ \\w+$", ""), name -> new ArrayList<>())
                        .add(new Point(entrant.get().tasks(), spread.median(), spread.min(), spread.max()));
            }
        }
        points.values().removeIf(line -> line.size() < 2);
        return points.isEmpty()
                ? ""
                : Html.figure(
                        "Steady rate by tasks",
                        new LineChart("tasks or connections", "records/s", lines(points, true))
                                .svg("Steady rate by number of tasks"),
                        "Median; the upright line goes from the lowest to the highest run.");
    }

    private static List<Line> lines(Map<String, List<Point>> points, boolean marked) {
        return points.entrySet().stream()
                .limit(MOST_LINES)
                .map(entry -> new Line(entry.getKey(), entry.getValue(), true, marked))
                .toList();
    }

    private String cpu() {
        List<Measure> parts = List.of(Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU);
        List<StackedBarChart.Bar> bars = results.summary().lines().stream()
                .filter(line -> line.measure(Measure.WORKER_CPU).isPresent())
                .map(line -> new StackedBarChart.Bar(
                        line.entrant(),
                        parts.stream()
                                .map(part -> line.measure(part)
                                        .map(spread -> spread.median())
                                        .orElse(0.0))
                                .toList()))
                .toList();
        return bars.isEmpty()
                ? ""
                : Html.figure(
                        "CPU per million records",
                        new StackedBarChart("CPU s", List.of("worker or client", "broker", "server"), bars)
                                .svg("CPU seconds per million records, by process"),
                        "Over the steady part, children included. It holds where rates do not: on a busy machine.");
    }

    private String throughTheRun() {
        String rates = results.runs().stream().anyMatch(Charts::isLoad)
                ? ""
                : overTime("Rate through the run", "records/s", Charts::rate);
        return rates
                + overTime("Records still to store", "records", run -> curve(run, sample -> lag(run, sample)))
                + overTime("Worker heap", "MB", run -> curve(run, Sample::heapMb));
    }

    /** Two charts for each class of micro benchmarks: they have their units in common, but not their scale. */
    private String micro() {
        Map<String, List<Summary.Line>> classes = new LinkedHashMap<>();
        for (Summary.Line line : results.summary().lines()) {
            if (Optional.ofNullable(entrants.get(line.entrant()))
                    .map(entrant -> entrant.kind().equals(MICRO))
                    .orElse(false)) {
                classes.computeIfAbsent(line.entrant().replaceFirst("\\..*$", ""), name -> new ArrayList<>())
                        .add(line);
            }
        }
        StringBuilder charts = new StringBuilder();
        classes.forEach((name, lines) -> charts.append(micro(name + ": time", Measure.NANOS, lines))
                .append(micro(name + ": heap allocated", Measure.ALLOCATED, lines)));
        return charts.toString();
    }

    private static String micro(String title, Measure measure, List<Summary.Line> lines) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Summary.Line line : lines) {
            line.measure(measure)
                    .ifPresent(spread ->
                            bars.add(new BarChart.Bar(line.entrant().replaceFirst("^\\w+\\.", ""), spread, false)));
        }
        return bars.isEmpty()
                ? ""
                : Html.figure(
                        title,
                        new BarChart(measure.unit(), bars).svg(title + " for a record or call"),
                        "For a record, or for a call where none are counted. Median; the whisker goes from the lowest to the"
                                + " highest iteration.");
    }

    private interface Curve {
        List<Point> of(Run run);
    }

    private String overTime(String title, String unit, Curve curve) {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Run run : results.runs()) {
            if (run.counts() && run.series().size() > 1) {
                List<Point> drawn = curve.of(run);
                if (drawn.stream().anyMatch(point -> point.y() > 0)) {
                    points.putIfAbsent(run.entrant(), drawn);
                }
            }
        }
        boolean cut = points.size() > MOST_LINES;
        return points.isEmpty()
                ? ""
                : Html.figure(
                        title,
                        new LineChart("s since the connector was created", unit, lines(points, false)).svg(title),
                        "The first run that counts of each" + (cut ? "; the first " + MOST_LINES + " alone." : "."));
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
