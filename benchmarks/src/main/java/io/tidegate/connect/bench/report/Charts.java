package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.LineChart.Line;
import io.tidegate.connect.bench.report.LineChart.Point;
import io.tidegate.connect.bench.results.Entrant;
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

/** The charts of a result folder, as far as it has figures for them. */
final class Charts {
    private static final String CONNECTOR = "connector";
    private static final String MICRO = "micro";
    /** More in one chart cannot be told apart. */
    private static final int MOST_LINES = 6;

    private final Results results;
    private final Map<String, Entrant> entrants = new LinkedHashMap<>();

    Charts(Results results) {
        this.results = results;
        results.entrants().forEach(entrant -> entrants.put(entrant.label(), entrant));
    }

    List<Figure> all() {
        List<Figure> all = new ArrayList<>();
        rates().ifPresent(all::add);
        rateByTasks().ifPresent(all::add);
        rateBySetting().ifPresent(all::add);
        tasksByWorker().ifPresent(all::add);
        cpu().ifPresent(all::add);
        latencies().ifPresent(all::add);
        pauses().ifPresent(all::add);
        all.addAll(new RunCharts(results.runs()).all());
        all.addAll(micro());
        return List.copyOf(all);
    }

    /** A chart of something that may not have been measured. */
    static Optional<Figure> unlessEmpty(List<?> drawn, Figure figure) {
        return drawn.isEmpty() ? Optional.empty() : Optional.of(figure);
    }

    private Optional<Figure> latencies() {
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
        return unlessEmpty(
                bars,
                new Figure(
                        "Latency from the moment a record was due",
                        new BarChart("ms", bars),
                        "99th percentile of the latency of each phase",
                        "The bar ends at 99 %; the whisker goes from the median to 99.9 %."));
    }

    private Optional<Figure> rates() {
        List<BarChart.Bar> bars = bars(Measure.STEADY_RATE);
        boolean bounded = bars.stream().anyMatch(BarChart.Bar::aside);
        return unlessEmpty(
                bars,
                new Figure(
                        "Steady rate",
                        new BarChart("records/s", bars),
                        "Steady rate of each entrant",
                        "Median; the whisker goes from the lowest to the highest run."
                                + (bounded ? " Grey: floor and ceiling." : "")));
    }

    private Optional<Figure> pauses() {
        List<BarChart.Bar> bars = bars(Measure.PAUSE);
        return unlessEmpty(
                bars,
                new Figure(
                        "Longest pause without a new row",
                        new BarChart("s", bars),
                        "Longest time without a new row in each phase",
                        "As the rows' own times in the store say."));
    }

    private List<BarChart.Bar> bars(Measure measure) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Summary.Line line : results.summary().lines()) {
            line.measure(measure)
                    .ifPresent(spread -> bars.add(new BarChart.Bar(name(line), spread, isAside(line.entrant()))));
        }
        return bars;
    }

    private static String name(Summary.Line line) {
        return line.entrant() + (line.noisyRuns() > 0 ? " *" : "");
    }

    private boolean isAside(String label) {
        return Optional.ofNullable(entrants.get(label))
                .map(entrant -> !entrant.kind().equals(CONNECTOR))
                .orElse(false);
    }

    private Optional<Figure> rateByTasks() {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : results.summary().lines()) {
            Optional<Entrant> entrant = Optional.ofNullable(entrants.get(line.entrant()));
            if (entrant.isPresent() && line.measure(Measure.STEADY_RATE).isPresent()) {
                points.computeIfAbsent(line.entrant().replaceFirst(", \\d+ \\w+$", ""), name -> new ArrayList<>())
                        .add(point(entrant.get().tasks(), line));
            }
        }
        points.values().removeIf(line -> line.size() < 2);
        return unlessEmpty(
                List.copyOf(points.keySet()),
                new Figure(
                        "Steady rate by tasks",
                        new LineChart("tasks or connections", "records/s", lines(points, true)),
                        "Steady rate by number of tasks",
                        caption("Median; the upright line goes from the lowest to the highest run", points)));
    }

    /** The steady rate, which the line must have. */
    private static Point point(double x, Summary.Line line) {
        Spread spread = line.measure(Measure.STEADY_RATE).orElseThrow();
        return new Point(x, spread.median(), spread.min(), spread.max());
    }

    /** Where a single setting differs and is a number: how the rate rises with it, where it is best, and its decline. */
    private Optional<Figure> rateBySetting() {
        Optional<String> varied = new VariedSetting(results.entrants()).key();
        if (varied.isEmpty()) {
            return Optional.empty();
        }
        String key = varied.get();
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : results.summary().lines()) {
            Optional<Entrant> entrant = Optional.ofNullable(entrants.get(line.entrant()))
                    .filter(one -> one.config().containsKey(key));
            if (entrant.isPresent() && line.measure(Measure.STEADY_RATE).isPresent()) {
                int tasks = entrant.get().tasks();
                points.computeIfAbsent(tasks + (tasks == 1 ? " task" : " tasks"), name -> new ArrayList<>())
                        .add(point(Double.parseDouble(entrant.get().config().get(key)), line));
            }
        }
        points.values().forEach(line -> line.sort(Comparator.comparingDouble(Point::x)));
        List<Line> lines = new ArrayList<>(lines(points, true));
        best(points).ifPresent(lines::add);
        return unlessEmpty(
                lines,
                new Figure(
                        "Steady rate by " + key,
                        new LineChart(key, "records/s", lines),
                        "Steady rate by " + key,
                        caption("Median; the upright line goes from the lowest to the highest run", points)));
    }

    private static Optional<Line> best(Map<String, List<Point>> points) {
        return points.values().stream()
                .flatMap(List::stream)
                .max(Comparator.comparingDouble(Point::y))
                .map(best -> new Line(
                        "best: " + BarChart.number(best.y()) + " records/s at " + BarChart.number(best.x()),
                        List.of(best),
                        false,
                        true));
    }

    /** For a cluster of several workers. */
    private Optional<Figure> tasksByWorker() {
        List<StackedBarChart.Bar> bars = stacks(Measure.TASKS_MOST, List.of(Measure.TASKS_MOST, Measure.TASKS_FEWEST));
        return unlessEmpty(
                bars,
                new Figure(
                        "Tasks by worker",
                        new StackedBarChart("tasks", List.of("fullest worker", "emptiest worker"), bars),
                        "Tasks on the fullest and on the emptiest worker",
                        "A bar of two halves is even."));
    }

    /** Medians, one upon the other, of everybody of whom the first is known. */
    private List<StackedBarChart.Bar> stacks(Measure known, List<Measure> parts) {
        return results.summary().lines().stream()
                .filter(line -> line.measure(known).isPresent())
                .map(line -> new StackedBarChart.Bar(
                        name(line),
                        parts.stream()
                                .map(part ->
                                        line.measure(part).map(Spread::median).orElse(0.0))
                                .toList()))
                .toList();
    }

    static List<Line> lines(Map<String, List<Point>> points, boolean marked) {
        return points.entrySet().stream()
                .limit(MOST_LINES)
                .map(entry -> new Line(entry.getKey(), entry.getValue(), true, marked))
                .toList();
    }

    /** Says so when not all of the lines are drawn. */
    static String caption(String text, Map<String, List<Point>> points) {
        return text
                + (points.size() > MOST_LINES ? "; the first " + MOST_LINES + " of " + points.size() + " alone." : ".");
    }

    private Optional<Figure> cpu() {
        List<StackedBarChart.Bar> bars =
                stacks(Measure.WORKER_CPU, List.of(Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU));
        return unlessEmpty(
                bars,
                new Figure(
                        "CPU per million records",
                        new StackedBarChart("CPU s", List.of("worker or client", "broker", "server"), bars),
                        "CPU seconds per million records, by process",
                        "Over the steady part, children included. It holds where rates do not: on a busy machine."));
    }

    /** Two charts for each class of micro benchmarks: they have their units in common, but not their scale. */
    private List<Figure> micro() {
        Map<String, List<Summary.Line>> classes = new LinkedHashMap<>();
        for (Summary.Line line : results.summary().lines()) {
            if (Optional.ofNullable(entrants.get(line.entrant()))
                    .map(entrant -> entrant.kind().equals(MICRO))
                    .orElse(false)) {
                classes.computeIfAbsent(line.entrant().replaceFirst("\\..*$", ""), name -> new ArrayList<>())
                        .add(line);
            }
        }
        List<Figure> charts = new ArrayList<>();
        classes.forEach((name, lines) -> {
            micro(name + ": time", Measure.NANOS, lines).ifPresent(charts::add);
            micro(name + ": heap allocated", Measure.ALLOCATED, lines).ifPresent(charts::add);
        });
        return charts;
    }

    private static Optional<Figure> micro(String title, Measure measure, List<Summary.Line> lines) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Summary.Line line : lines) {
            line.measure(measure)
                    .ifPresent(spread ->
                            bars.add(new BarChart.Bar(line.entrant().replaceFirst("^\\w+\\.", ""), spread, false)));
        }
        return unlessEmpty(
                bars,
                new Figure(
                        title,
                        new BarChart(measure.unit(), bars),
                        title + " for a record or call",
                        "For a record, or for a call where none are counted. Median; the whisker goes from the lowest to the"
                                + " highest iteration."));
    }
}
