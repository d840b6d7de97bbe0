package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.chart.Axis;
import io.tidegate.connect.bench.chart.Html;
import io.tidegate.connect.bench.chart.Pictures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a result folder. */
public final class HtmlReport {
    /** The maximum number of columns of a table, so that it fits on a printed page. */
    private static final int MAX_COLUMNS = 8;

    private static final List<Measure> RUN_COLUMNS =
            List.of(Measure.STEADY_RATE, Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU, Measure.OTHER_CPU);

    private final Results results;
    private final List<Summary.Line> summary;

    private HtmlReport(Results results) {
        this.results = results;
        summary = results.summary().lines();
    }

    public static String of(Results results) {
        return new HtmlReport(results).page();
    }

    /** Writes a result folder: the page, its data files, and pictures of its charts. */
    public static void write(Path folder, Results results) throws ToolException {
        writeMeanwhile(folder, results);
        Pictures.write(folder, new Charts(results).all());
    }

    /** Writes the same without pictures while the measurement still runs: drawing takes time. */
    public static void writeMeanwhile(Path folder, Results results) throws ToolException {
        new ResultFiles(folder).write(results, of(results));
    }

    private String page() {
        String title = "Tidegate bench " + results.benchmark() + ", " + results.started();
        String body = remarks() + findings() + (summary.isEmpty() ? "" : figures()) + ratios() + runs() + origin();
        return Html.page(title, body, results.command());
    }

    private String remarks() {
        StringBuilder remarks = new StringBuilder();
        if (!results.complete()) {
            remarks.append(note("The measurement did not finish. This page shows the results until then."));
        }
        results.runs().stream()
                .filter(run -> !run.isOk())
                .map(run -> Html.of("<p class=\"bad\"><b>%s</b> failed: %s</p>\n", run.entrant(), run.outcome()))
                .forEach(remarks::append);
        List<Run> counted = results.runs().stream().filter(Run::counts).toList();
        List<Run> noisy = counted.stream().filter(Run::noisy).toList();
        if (!noisy.isEmpty()) {
            boolean lagged = noisy.get(0).measure(Measure.GENERATOR_LAG).isPresent();
            remarks.append(note("In " + noisy.size() + " of " + counted.size() + " runs "
                    + (lagged
                            ? "the generator was the limit: it fell more than a second behind its schedule."
                            : "other processes used more than a tenth of the CPU. Do not trust the rates of these"
                                    + " runs; their CPU time per record is more reliable.")
                    + " They are marked with *."));
        }
        return remarks + (summary.isEmpty() ? note("No run has results yet.") : "");
    }

    private static String note(String text) {
        return Html.of("<p class=\"note\">%s</p>\n", text);
    }

    private String findings() {
        return results.findings().isEmpty()
                ? ""
                : "<h2>Findings</h2>\n<ul>\n"
                        + joined(results.findings().stream(), finding -> Html.of("<li>%s</li>\n", finding)) + "</ul>\n";
    }

    private static <T> String joined(Stream<T> things, Function<T, String> html) {
        return things.map(html).collect(Collectors.joining());
    }

    private String figures() {
        List<Measure> known = Stream.of(Measure.values())
                .filter(measure -> measure != Measure.SECONDS && measure != Measure.START_SECONDS)
                .filter(measure ->
                        summary.stream().anyMatch(line -> line.measure(measure).isPresent()))
                .toList();
        StringBuilder html = new StringBuilder("<h2>Charts</h2>\n")
                .append(Html.figures(new Charts(results).all()))
                .append("<h2>Medians, with the lowest and the highest run</h2>\n");
        for (int from = 0; from < known.size(); from += MAX_COLUMNS) {
            html.append(medians(known.subList(from, Math.min(known.size(), from + MAX_COLUMNS))));
        }
        return html.toString();
    }

    private String medians(List<Measure> columns) {
        return Html.table(
                row("", columns, HtmlReport::heading),
                summary.stream()
                        .map(line -> row(line.title(), columns, measure -> cell(line, measure)))
                        .toList());
    }

    private static List<String> row(String heading, List<Measure> columns, Function<Measure, String> cell) {
        List<String> row = new ArrayList<>(List.of(Html.escaped(heading)));
        columns.forEach(measure -> row.add(cell.apply(measure)));
        return row;
    }

    private static String heading(Measure measure) {
        return Html.of("%s<br><small>%s</small>", measure.title(), measure.unit());
    }

    private static String cell(Summary.Line line, Measure measure) {
        return line.measure(measure).map(HtmlReport::cell).orElse("");
    }

    private static String cell(Spread spread) {
        String range = "<br><small>" + Axis.number(spread.min()) + " – " + Axis.number(spread.max()) + "</small>";
        return Axis.number(spread.median()) + (spread.runs() < 2 ? "" : range);
    }

    private String ratios() {
        List<Summary.Ratio> ratios = results.summary().ratios();
        if (ratios.isEmpty()) {
            return "";
        }
        List<List<String>> rows = ratios.stream()
                .map(ratio -> List.of(
                        Html.escaped(ratio.entrant()),
                        Measure.of(ratio.measure()).map(Measure::title).orElse(Html.escaped(ratio.measure())),
                        cell(ratio.ratio())))
                .toList();
        return Html.of("<h2>Ratios to %s, round by round</h2>\n", ratios.get(0).to())
                + "<p>Each ratio compares runs of the same round, so that a slow machine does not change it.</p>\n"
                + Html.table(List.of("", "figure", "ratio"), rows);
    }

    private String runs() {
        if (results.runs().stream()
                .noneMatch(run -> run.measure(Measure.STEADY_RATE).isPresent())) {
            return "";
        }
        List<String> heading = row("run", RUN_COLUMNS, HtmlReport::heading);
        heading.add(1, "round");
        List<List<String>> rows = new ArrayList<>();
        for (Run run : results.runs()) {
            List<String> row =
                    row(run.entrant() + (run.noisy() ? " *" : ""), RUN_COLUMNS, measure -> run.measure(measure)
                            .map(Axis::number)
                            .orElse(run.isOk() ? "" : "failed"));
            row.add(1, run.round() < 1 ? "warm-up" : Integer.toString(run.round()));
            rows.add(row);
        }
        return "<h2>Every run</h2>\n" + Html.table(heading, rows);
    }

    private String origin() {
        return "<h2>Machine, versions and settings</h2>\n" + list(results.environment()) + list(results.settings())
                + joined(
                        results.entrants().stream()
                                .filter(entrant -> !entrant.config().isEmpty()),
                        entrant -> Html.of("<details><summary>Settings of %s</summary>", entrant.label())
                                + list(entrant.config()) + "</details>\n")
                + "<p><small>Format " + results.format() + ".</small></p>\n";
    }

    private static String list(Map<String, String> entries) {
        return "<dl>\n"
                + joined(
                        entries.entrySet().stream(),
                        entry -> Html.of("<dt>%s</dt><dd>%s</dd>\n", entry.getKey(), entry.getValue()))
                + "</dl>\n";
    }
}
