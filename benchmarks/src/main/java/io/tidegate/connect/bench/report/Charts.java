package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Chart.Bar;
import io.tidegate.connect.bench.report.Chart.Line;
import io.tidegate.connect.bench.report.Chart.Point;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The charts of a result folder. A chart without data is left out. */
final class Charts {
    private static final String SPREAD = "Medians, with the lowest and the highest run.";
    private static final List<String> WHOLE = List.of("");

    private final Results results;
    private final List<Summary.Line> summary;
    private final Map<String, CandidateInfo> entrants;

    Charts(Results results) {
        this.results = results;
        summary = results.summary().lines();
        entrants = results.entrants().stream()
                .collect(Collectors.toMap(CandidateInfo::label, Function.identity(), (one, same) -> one));
    }

    List<Chart> all() {
        Stream<Optional<Chart>> summarised = Stream.of(
                Chart.ofBars("Steady rate", "records/s", WHOLE, bars(summary, Measure.STEADY_RATE), SPREAD),
                rateByTasks(),
                rateBySetting(),
                Chart.ofBars(
                        "Tasks by worker",
                        "tasks",
                        List.of("fullest worker", "emptiest worker"),
                        stacks(Measure.TASKS_MOST, Measure.TASKS_FEWEST),
                        "If both halves of a bar are equal, the tasks are spread evenly."),
                Chart.ofBars(
                        "CPU per million records",
                        "CPU s",
                        List.of("worker or client", "broker", "server"),
                        stacks(Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU),
                        "Measured over the steady part; child processes are included. These figures are reliable even"
                                + " on a busy machine; rates are not."),
                Chart.ofBars(
                        "Latency from the moment a record was due",
                        "ms",
                        WHOLE,
                        latencies(),
                        "The bar ends at the 99th percentile. The range goes from the median to the 99.9th."),
                Chart.ofBars(
                        "Longest pause without a new row",
                        "s",
                        WHOLE,
                        bars(summary, Measure.PAUSE),
                        "Calculated from the times at which the store inserted the rows."));
        return Stream.of(summarised, new RunCharts(results.runs()).all(), micro())
                .flatMap(Function.identity())
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<Bar> bars(List<Summary.Line> lines, Measure measure) {
        return lines.stream()
                .flatMap(line -> line.measure(measure).stream()
                        .map(spread ->
                                new Bar(line.title(), List.of(spread.median()), spread.min(), spread.max())))
                .toList();
    }

    private List<Bar> latencies() {
        return summary.stream()
                .filter(line -> line.measure(Measure.LATENCY_P99).isPresent())
                .map(line -> new Bar(
                        line.title(),
                        List.of(median(line, Measure.LATENCY_P99)),
                        median(line, Measure.LATENCY_P50),
                        line.measure(Measure.LATENCY_P999).map(Spread::max).orElse(0.0)))
                .toList();
    }

    /** Stacked bars of medians, for each entrant that has the first measure. */
    private List<Bar> stacks(Measure... parts) {
        return summary.stream()
                .filter(line -> line.measure(parts[0]).isPresent())
                .map(line -> new Bar(
                        line.title(),
                        Stream.of(parts).map(part -> median(line, part)).toList(),
                        0,
                        0))
                .toList();
    }

    private static double median(Summary.Line line, Measure measure) {
        return line.measure(measure).map(Spread::median).orElse(0.0);
    }

    private Optional<Chart> rateByTasks() {
        List<Line> lines = rates(entrant -> Optional.of(entrant.family()), CandidateInfo::tasks).stream()
                .filter(line -> line.points().size() > 1)
                .toList();
        return Chart.ofLines("Steady rate by tasks", "tasks or connections", "records/s", lines, SPREAD);
    }

    /** Draws the rate by the only setting that differs, if that setting is a number. The caption names the best point. */
    private Optional<Chart> rateBySetting() {
        return VariedSetting.of(results.entrants()).flatMap(key -> {
            List<Line> lines = rates(
                    entrant -> entrant.config().containsKey(key)
                            ? Optional.of(entrant.tasks() + (entrant.tasks() == 1 ? " task" : " tasks"))
                            : Optional.empty(),
                    entrant -> Double.parseDouble(entrant.config().get(key)));
            lines.forEach(line -> line.points().sort(Comparator.comparingDouble(Point::x)));
            String best = lines.stream()
                    .flatMap(line -> line.points().stream())
                    .max(Comparator.comparingDouble(Point::y))
                    .map(point ->
                            " Best: " + Figures.number(point.y()) + " records/s at " + Figures.number(point.x()) + ".")
                    .orElse("");
            return Chart.ofLines("Steady rate by " + key, key, "records/s", lines, SPREAD + best);
        });
    }

    /** Makes one line of points for each name. Entrants without a name are left out. */
    private List<Line> rates(Function<CandidateInfo, Optional<String>> name, ToDoubleFunction<CandidateInfo> x) {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : summary) {
            Optional<CandidateInfo> entrant = Optional.ofNullable(entrants.get(line.entrant()));
            line.measure(Measure.STEADY_RATE).ifPresent(rate -> entrant.flatMap(name)
                    .ifPresent(key -> points.computeIfAbsent(key, none -> new ArrayList<>())
                            .add(new Point(
                                    x.applyAsDouble(entrant.get()), rate.median(), rate.min(), rate.max()))));
        }
        return points.entrySet().stream()
                .map(entry -> new Line(entry.getKey(), entry.getValue(), true))
                .toList();
    }

    /** Two charts for each class of micro benchmarks, because values of different classes need different scales. */
    private Stream<Optional<Chart>> micro() {
        Map<String, List<Summary.Line>> classes = summary.stream()
                .filter(line -> line.measure(Measure.NANOS).isPresent())
                .collect(Collectors.groupingBy(
                        line -> line.entrant().replaceFirst("\\..*$", ""), LinkedHashMap::new, Collectors.toList()));
        String caption = "Per record, or per call if the benchmark counts no records. " + SPREAD;
        return classes.entrySet().stream()
                .flatMap(one -> Stream.of(Measure.NANOS, Measure.ALLOCATED)
                        .map(measure -> Chart.ofBars(
                                one.getKey() + ": " + measure.title(),
                                measure.unit(),
                                WHOLE,
                                bars(one.getValue(), measure),
                                caption)));
    }
}
