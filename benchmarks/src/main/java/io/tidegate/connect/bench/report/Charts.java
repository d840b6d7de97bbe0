package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.chart.Axis;
import io.tidegate.connect.bench.chart.BarChart.Bar;
import io.tidegate.connect.bench.chart.Figure;
import io.tidegate.connect.bench.chart.LineChart.Line;
import io.tidegate.connect.bench.chart.LineChart.Point;
import io.tidegate.connect.bench.results.CandidateInfo;
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
import java.util.stream.Stream;

/** The charts of a result folder. A chart without data is left out. */
final class Charts {
    private static final String WHISKER = "The bar is the median. The whisker goes from the lowest to the highest run.";
    private static final String LINE = "The point is the median. The line goes from the lowest to the highest run.";

    private final Results results;
    private final List<Summary.Line> summary;
    private final Map<String, CandidateInfo> entrants = new LinkedHashMap<>();

    Charts(Results results) {
        this.results = results;
        summary = results.summary().lines();
        results.entrants().forEach(entrant -> entrants.put(entrant.label(), entrant));
    }

    List<Figure> all() {
        List<Bar> rates = bars(Measure.STEADY_RATE);
        String bounds =
                rates.stream().anyMatch(Bar::reference) ? " Grey bars are the no-op sink and the raw client." : "";
        Stream<Optional<Figure>> summarised = Stream.of(
                Figure.ofBars("Steady rate", "records/s", List.of(), rates, WHISKER + bounds),
                rateByTasks(),
                rateBySetting(),
                Figure.ofBars(
                        "Tasks by worker",
                        "tasks",
                        List.of("fullest worker", "emptiest worker"),
                        stacks(Measure.TASKS_MOST, Measure.TASKS_FEWEST),
                        "If both halves of a bar are equal, the tasks are spread evenly."),
                Figure.ofBars(
                        "CPU per million records",
                        "CPU s",
                        List.of("worker or client", "broker", "server"),
                        stacks(Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU),
                        "Measured over the steady part; child processes are included. These figures are reliable even"
                                + " on a busy machine; rates are not."),
                Figure.ofBars(
                        "Latency from the moment a record was due",
                        "ms",
                        List.of(),
                        latencies(),
                        "The bar ends at the 99th percentile. The whisker goes from the median to the 99.9th."),
                Figure.ofBars(
                        "Longest pause without a new row",
                        "s",
                        List.of(),
                        bars(Measure.PAUSE),
                        "Calculated from the times at which the store inserted the rows."));
        return Stream.of(summarised, new RunCharts(results.runs()).all(), micro())
                .flatMap(figures -> figures)
                .flatMap(Optional::stream)
                .toList();
    }

    private List<Bar> bars(Measure measure) {
        List<Bar> bars = new ArrayList<>();
        for (Summary.Line line : summary) {
            boolean reference = entrant(line).filter(one -> !one.isConnector()).isPresent();
            line.measure(measure).ifPresent(spread -> bars.add(bar(line.title(), spread, reference)));
        }
        return bars;
    }

    private static Bar bar(String name, Spread spread, boolean reference) {
        return new Bar(name, List.of(spread.median()), spread.min(), spread.max(), reference);
    }

    private Optional<CandidateInfo> entrant(Summary.Line line) {
        return Optional.ofNullable(entrants.get(line.entrant()));
    }

    private List<Bar> latencies() {
        List<Bar> bars = new ArrayList<>();
        for (Summary.Line line : summary) {
            double low = median(line, Measure.LATENCY_P50);
            double high = line.measure(Measure.LATENCY_P999).map(Spread::max).orElse(0.0);
            line.measure(Measure.LATENCY_P99)
                    .ifPresent(p99 -> bars.add(new Bar(line.title(), List.of(p99.median()), low, high, false)));
        }
        return bars;
    }

    /** Stacked bars of medians, for each entrant that has the first measure. */
    private List<Bar> stacks(Measure... parts) {
        return summary.stream()
                .filter(line -> line.measure(parts[0]).isPresent())
                .map(line -> Bar.stacked(
                        line.title(),
                        Stream.of(parts).map(part -> median(line, part)).toList()))
                .toList();
    }

    private static double median(Summary.Line line, Measure measure) {
        return line.measure(measure).map(Spread::median).orElse(0.0);
    }

    private Optional<Figure> rateByTasks() {
        List<Line> lines = rates(entrant -> Optional.of(entrant.family()), CandidateInfo::tasks).stream()
                .filter(line -> line.points().size() > 1)
                .toList();
        return Figure.ofLines("Steady rate by tasks", "tasks or connections", "records/s", lines, LINE);
    }

    /** Draws the rate by the only setting that differs, if that setting is a number. The best point is marked. */
    private Optional<Figure> rateBySetting() {
        return VariedSetting.of(results.entrants()).flatMap(key -> {
            List<Line> lines = new ArrayList<>(rates(
                    entrant -> entrant.config().containsKey(key)
                            ? Optional.of(entrant.tasks() + (entrant.tasks() == 1 ? " task" : " tasks"))
                            : Optional.empty(),
                    entrant -> Double.parseDouble(entrant.config().get(key))));
            lines.forEach(line -> line.points().sort(Comparator.comparingDouble(Point::x)));
            lines.stream()
                    .flatMap(line -> line.points().stream())
                    .max(Comparator.comparingDouble(Point::y))
                    .map(Charts::best)
                    .ifPresent(lines::add);
            return Figure.ofLines("Steady rate by " + key, key, "records/s", lines, LINE);
        });
    }

    private static Line best(Point best) {
        String name = "best: " + Axis.number(best.y()) + " records/s at " + Axis.number(best.x());
        return new Line(name, List.of(best), false, true);
    }

    /** Makes one line of points for each name. Entrants without a name are left out. */
    private List<Line> rates(Function<CandidateInfo, Optional<String>> name, ToDoubleFunction<CandidateInfo> x) {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : summary) {
            line.measure(Measure.STEADY_RATE).ifPresent(rate -> entrant(line).ifPresent(entrant -> name.apply(entrant)
                    .ifPresent(key -> points.computeIfAbsent(key, none -> new ArrayList<>())
                            .add(new Point(x.applyAsDouble(entrant), rate.median(), rate.min(), rate.max())))));
        }
        return points.entrySet().stream()
                .map(entry -> new Line(entry.getKey(), entry.getValue(), true, true))
                .toList();
    }

    /** Two charts for each class of micro benchmarks, because values of different classes need different scales. */
    private Stream<Optional<Figure>> micro() {
        Map<String, List<Summary.Line>> classes = new LinkedHashMap<>();
        for (Summary.Line line : summary) {
            if (entrant(line).filter(one -> one.kind().equals("micro")).isPresent()) {
                classes.computeIfAbsent(line.entrant().replaceFirst("\\..*$", ""), name -> new ArrayList<>())
                        .add(line);
            }
        }
        return classes.entrySet().stream()
                .flatMap(entry -> Stream.of(
                        micro(entry.getKey() + ": time", Measure.NANOS, entry.getValue()),
                        micro(entry.getKey() + ": heap allocated", Measure.ALLOCATED, entry.getValue())));
    }

    private static Optional<Figure> micro(String title, Measure measure, List<Summary.Line> lines) {
        List<Bar> bars = new ArrayList<>();
        for (Summary.Line line : lines) {
            String method = line.entrant().replaceFirst("^\\w+\\.", "");
            line.measure(measure).ifPresent(spread -> bars.add(bar(method, spread, false)));
        }
        return Figure.ofBars(
                title,
                measure.unit(),
                List.of(),
                bars,
                "Per record, or per call if the benchmark counts no records. The bar is the median. The whisker goes"
                        + " from the lowest to the highest iteration.");
    }
}
