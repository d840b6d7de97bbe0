package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Chart.Bar;
import io.tidegate.connect.bench.report.Chart.Line;
import io.tidegate.connect.bench.report.Chart.Point;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The charts of a result folder. A chart without data is left out. */
final class Charts {
    private static final String SPREAD = "Medians, with the lowest and the highest run.";
    private static final List<String> WHOLE = List.of("");

    private final Results results;
    private final List<Summary.Line> summary;

    Charts(Results results) {
        this.results = results;
        summary = results.summary().lines();
    }

    List<Chart> all() {
        Stream<Optional<Chart>> summarised = Stream.of(
                Chart.ofBars("Steady rate", "records/s", WHOLE, bars(Measure.STEADY_RATE), SPREAD),
                rateByTasks(),
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
                micro(Measure.NANOS),
                micro(Measure.ALLOCATED));
        return Stream.concat(summarised, new RunCharts(results.runs()).all())
                .flatMap(Optional::stream)
                .toList();
    }

    private List<Bar> bars(Measure measure) {
        return summary.stream()
                .flatMap(line -> line.measure(measure).stream()
                        .map(spread -> new Bar(line.title(), List.of(spread.median()), spread.min(), spread.max())))
                .toList();
    }

    private Optional<Chart> micro(Measure measure) {
        String caption = "Per record, or per call if the benchmark counts no records. " + SPREAD;
        return Chart.ofBars(measure.title(), measure.unit(), WHOLE, bars(measure), caption);
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

    /** A line for each connector that was measured with several numbers of tasks. */
    private Optional<Chart> rateByTasks() {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Summary.Line line : summary) {
            for (CandidateInfo entrant : results.entrants()) {
                if (entrant.label().equals(line.entrant())) {
                    line.measure(Measure.STEADY_RATE)
                            .ifPresent(rate -> points.computeIfAbsent(entrant.family(), none -> new ArrayList<>())
                                    .add(new Point(entrant.tasks(), rate.median(), rate.min(), rate.max())));
                }
            }
        }
        List<Line> lines = points.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> new Line(entry.getKey(), entry.getValue(), true))
                .toList();
        return Chart.ofLines("Steady rate by tasks", "tasks or connections", "records/s", lines, SPREAD);
    }
}
