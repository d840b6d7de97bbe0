package io.tidegate.connect.bench.plan;

import io.tidegate.connect.bench.report.Figure;
import io.tidegate.connect.bench.report.Html;
import io.tidegate.connect.bench.report.LineChart;
import io.tidegate.connect.bench.report.LineChart.Line;
import io.tidegate.connect.bench.report.LineChart.Point;
import io.tidegate.connect.bench.report.Page;
import io.tidegate.connect.bench.report.Pictures;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a plan: the numbers, and the curves with their data. */
public record PlanFiles(Path folder, String command) {
    private static final int CURVE_POINTS = 60;
    private static final double BEYOND = 1.25;

    public void write(List<Advice> advice, Target target) throws ToolException {
        List<Figure> figures = advice.stream().flatMap(PlanFiles::figure).toList();
        new ResultFiles(folder).write(json(advice, target), csv(advice), html(advice, target, figures));
        Pictures.write(folder, figures);
    }

    private Map<String, Object> json(List<Advice> advice, Target target) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("benchmark", "plan");
        json.put("command", command);
        json.put("target", target);
        json.put("groups", advice.stream().map(PlanFiles::json).toList());
        return json;
    }

    private static Map<String, Object> json(Advice advice) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("group", advice.group());
        advice.fit().ifPresent(fit -> json.put("fit", fit));
        advice.tasks().ifPresent(tasks -> json.put("tasks", tasks));
        advice.partitions().ifPresent(partitions -> json.put("partitions", partitions));
        advice.workers().ifPresent(workers -> json.put("workers", workers));
        advice.connections().ifPresent(connections -> json.put("connections", connections));
        json.put("refusal", advice.refusal());
        json.put("remarks", advice.remarks());
        return json;
    }

    static String csv(List<Advice> advice) {
        StringBuilder csv =
                new StringBuilder("group,tasks,measured_records_per_s,fitted_records_per_s,left_out_error\n");
        for (Advice one : advice) {
            one.fit().ifPresent(fit -> {
                for (int i = 0; i < fit.data().size(); i++) {
                    Measured point = fit.data().get(i);
                    csv.append(String.format(
                            Locale.ROOT,
                            "\"%s\",%.0f,%.1f,%.1f,%.4f%n",
                            one.group().replace("\"", "\"\""),
                            point.tasks(),
                            point.rate(),
                            fit.law().rate(point.tasks()),
                            fit.leftOut().get(i)));
                }
            });
        }
        return csv.toString();
    }

    private String html(List<Advice> advice, Target target, List<Figure> figures) {
        String title = String.format(
                Locale.ROOT,
                "Tidegate bench plan: %,.0f records/s, %.0f %% headroom",
                target.rate(),
                target.headroom() * 100);
        String refused = advice.stream()
                .filter(one -> one.fit().isEmpty())
                .map(one -> "<p class=\"note\">"
                        + Html.escaped(String.join(":", PlanText.of(one)).replace(":  ", ": ")) + "</p>\n")
                .collect(Collectors.joining());
        return Page.of(title, Figure.html(figures) + refused, command);
    }

    private static Stream<Figure> figure(Advice advice) {
        List<String> text = PlanText.of(advice);
        String caption = String.join(
                " · ", text.subList(1, text.size()).stream().map(String::strip).toList());
        return advice.fit().stream()
                .map(fit ->
                        new Figure(text.get(0), chart(fit), "Rate by number of tasks, measured and fitted", caption));
    }

    /** The curve as far as it is believed, and not where it would rise to a peak that nobody saw, and the rates it was fitted to. */
    private static LineChart chart(UslFit fit) {
        List<Point> curve = new ArrayList<>();
        double from = fit.law().peak() < fit.fewestTasks() ? fit.fewestTasks() : 1;
        double to = fit.mostTasks() * BEYOND;
        for (int i = 0; i <= CURVE_POINTS; i++) {
            double tasks = from + (to - from) * i / CURVE_POINTS;
            curve.add(Point.of(tasks, fit.law().rate(tasks)));
        }
        List<Point> data = fit.data().stream()
                .map(point -> Point.of(point.tasks(), point.rate()))
                .toList();
        return new LineChart(
                "tasks",
                "records/s",
                List.of(new Line("fitted", curve, true, false), new Line("measured", data, false, true)));
    }
}
