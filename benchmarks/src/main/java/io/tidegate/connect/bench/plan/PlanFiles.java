package io.tidegate.connect.bench.plan;

import static io.tidegate.connect.bench.plan.PlanText.format;

import io.tidegate.connect.bench.chart.Figure;
import io.tidegate.connect.bench.chart.Html;
import io.tidegate.connect.bench.chart.LineChart;
import io.tidegate.connect.bench.chart.LineChart.Line;
import io.tidegate.connect.bench.chart.LineChart.Point;
import io.tidegate.connect.bench.chart.Pictures;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the files of a plan: the numbers, and the curves with their data. */
public record PlanFiles(Path folder, String command) {
    private static final int CURVE_POINTS = 60;
    private static final double CURVE_EXTENSION = 1.25;

    public void write(List<Advice> advice, Target target) throws ToolException {
        List<Figure> figures = advice.stream()
                .flatMap(one -> one.fit().stream().map(fit -> figure(one, fit)))
                .toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("benchmark", "plan");
        json.put("command", command);
        json.put("target", target);
        json.put("groups", advice.stream().map(PlanFiles::json).toList());
        new ResultFiles(folder).write(json, csv(advice), html(advice, target, figures));
        Pictures.write(folder, figures);
    }

    private static Map<String, Object> json(Advice advice) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("group", advice.group());
        advice.fit().ifPresent(fit -> json.put("fit", fit));
        json.putAll(advice.numbers());
        json.put("refusal", advice.refusal());
        json.put("remarks", advice.remarks());
        return json;
    }

    private static String csv(List<Advice> advice) {
        StringBuilder csv =
                new StringBuilder("group,tasks,measured_records_per_s,fitted_records_per_s,left_out_error\n");
        for (Advice one : advice) {
            one.fit().ifPresent(fit -> {
                for (int i = 0; i < fit.data().size(); i++) {
                    Measured point = fit.data().get(i);
                    double fitted = fit.law().rate(point.tasks());
                    csv.append(ResultFiles.quoted(one.group()))
                            .append(format(",%.0f,%.1f,%.1f,", point.tasks(), point.rate(), fitted))
                            .append(format("%.4f%n", fit.leftOut().get(i)));
                }
            });
        }
        return csv.toString();
    }

    private String html(List<Advice> advice, Target target, List<Figure> figures) {
        String title = format(
                "Tidegate bench plan: %,.0f records/s, %.0f %% headroom", target.rate(), target.headroom() * 100);
        String refused = advice.stream()
                .filter(one -> one.fit().isEmpty())
                .map(PlanText::of)
                .map(text -> Html.of(
                        "<p class=\"note\">%s</p>\n",
                        text.get(0) + ":" + text.get(1).substring(1)))
                .collect(Collectors.joining());
        return Html.page(title, Html.figures(figures) + refused, command);
    }

    /** Draws the measured rates and the trusted part of the curve, without a rise to an unmeasured peak. */
    private static Figure figure(Advice advice, UslFit fit) {
        double from = fit.law().peak() < fit.fewestTasks() ? fit.fewestTasks() : 1;
        double to = fit.mostTasks() * CURVE_EXTENSION;
        List<Point> curve = IntStream.rangeClosed(0, CURVE_POINTS)
                .mapToDouble(i -> from + (to - from) * i / CURVE_POINTS)
                .mapToObj(tasks -> Point.of(tasks, fit.law().rate(tasks)))
                .toList();
        List<Point> data = fit.data().stream()
                .map(point -> Point.of(point.tasks(), point.rate()))
                .toList();
        List<Line> lines = List.of(new Line("fitted", curve, true, false), new Line("measured", data, false, true));
        List<String> text = PlanText.of(advice);
        String caption = text.stream().skip(1).map(String::strip).collect(Collectors.joining(" · "));
        return new Figure(text.get(0), new LineChart("tasks", "records/s", lines).draw(), caption);
    }
}
