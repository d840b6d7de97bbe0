package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page of a result folder. */
public final class HtmlReport {
    private static final List<Measure> TABLE = Arrays.stream(Measure.values())
            .filter(measure -> measure != Measure.SECONDS && measure != Measure.START_SECONDS)
            .toList();

    /** Of a table, so that it fits on paper. */
    private static final int MOST_COLUMNS = 8;

    private final Results results;

    private HtmlReport(Results results) {
        this.results = results;
    }

    public static String of(Results results) {
        return new HtmlReport(results).page();
    }

    /** Writes a result folder: the page, the files that it is made from, and pictures of its charts. */
    public static void write(Path folder, Results results) throws ToolException {
        writeMeanwhile(folder, results);
        Pictures.write(folder, new Charts(results).all());
    }

    /** Likewise without pictures, for a measurement that goes on: drawing takes time. */
    public static void writeMeanwhile(Path folder, Results results) throws ToolException {
        new ResultFiles(folder).write(results, of(results));
    }

    private String page() {
        String title = "Tidegate bench " + results.benchmark() + ", " + results.started();
        return Page.of(
                title, remarks() + findings() + charts() + medians() + ratios() + runs() + origin(), results.command());
    }

    private String remarks() {
        StringBuilder remarks = new StringBuilder();
        if (!results.complete()) {
            remarks.append(note("The measurement did not come to its end; this is what it had found."));
        }
        results.runs().stream()
                .filter(run -> !run.isOk())
                .map(run -> "<p class=\"bad\"><b>" + Html.escaped(run.entrant()) + "</b> failed: "
                        + Html.escaped(run.outcome()) + "</p>\n")
                .forEach(remarks::append);
        noise().ifPresent(remarks::append);
        if (results.summary().lines().isEmpty()) {
            remarks.append(note("No run has figures yet."));
        }
        return remarks.toString();
    }

    private Optional<String> noise() {
        List<Run> noisy = results.runs().stream()
                .filter(run -> run.counts() && run.noisy())
                .toList();
        if (noisy.isEmpty()) {
            return Optional.empty();
        }
        String among = noisy.size() + " of "
                + results.runs().stream().filter(Run::counts).count() + " runs";
        return Optional.of(note(
                noisy.get(0).measure(Measure.GENERATOR_LAG).isPresent()
                        ? "In " + among
                                + " the generator was the limit: it fell more than a second behind its plan. They"
                                + " are marked with *."
                        : "In " + among + " other processes took more than a tenth of the CPU: their rates say little,"
                                + " their CPU time per record more. They are marked with *."));
    }

    private static String note(String text) {
        return "<p class=\"note\">" + Html.escaped(text) + "</p>\n";
    }

    private String findings() {
        return results.findings().isEmpty()
                ? ""
                : "<h2>What follows</h2>\n<ul>\n"
                        + results.findings().stream()
                                .map(finding -> "<li>" + Html.escaped(finding) + "</li>\n")
                                .collect(Collectors.joining())
                        + "</ul>\n";
    }

    private String charts() {
        return results.summary().lines().isEmpty() ? "" : "<h2>Charts</h2>\n" + Figure.html(new Charts(results).all());
    }

    private String medians() {
        List<Summary.Line> lines = results.summary().lines();
        if (lines.isEmpty()) {
            return "";
        }
        List<Measure> known = TABLE.stream()
                .filter(measure ->
                        lines.stream().anyMatch(line -> line.measure(measure).isPresent()))
                .toList();
        StringBuilder tables = new StringBuilder("<h2>Medians, and lowest to highest run</h2>\n");
        for (int from = 0; from < known.size(); from += MOST_COLUMNS) {
            tables.append(medians(lines, known.subList(from, Math.min(known.size(), from + MOST_COLUMNS))));
        }
        return tables.toString();
    }

    private static String medians(List<Summary.Line> lines, List<Measure> columns) {
        List<String> heading = new ArrayList<>(List.of(""));
        columns.forEach(measure ->
                heading.add(Html.escaped(measure.title()) + "<br><small>" + Html.escaped(measure.unit()) + "</small>"));
        List<List<String>> rows = lines.stream()
                .map(line -> {
                    List<String> row =
                            new ArrayList<>(List.of(Html.escaped(line.entrant()) + (line.noisyRuns() > 0 ? " *" : "")));
                    columns.forEach(measure ->
                            row.add(line.measure(measure).map(HtmlReport::cell).orElse("")));
                    return row;
                })
                .toList();
        return Html.table(heading, rows);
    }

    private static String cell(Spread spread) {
        String median = BarChart.number(spread.median());
        return spread.runs() < 2
                ? median
                : median + "<br><small>" + BarChart.number(spread.min()) + " – " + BarChart.number(spread.max())
                        + "</small>";
    }

    private String ratios() {
        List<Summary.Ratio> ratios = results.summary().ratios();
        if (ratios.isEmpty()) {
            return "";
        }
        List<List<String>> rows = ratios.stream()
                .map(ratio -> List.of(
                        Html.escaped(ratio.entrant()),
                        Html.escaped(
                                Measure.of(ratio.measure()).map(Measure::title).orElse(ratio.measure())),
                        cell(ratio.ratio())))
                .toList();
        return "<h2>Ratios to " + Html.escaped(ratios.get(0).to()) + ", round by round</h2>\n"
                + "<p>Each run is divided by the other's run of the same round, so what slowed both down cancels.</p>\n"
                + Html.table(List.of("", "figure", "ratio"), rows);
    }

    private String runs() {
        if (results.runs().stream()
                .noneMatch(run -> run.measure(Measure.STEADY_RATE).isPresent())) {
            return "";
        }
        List<String> heading =
                List.of("run", "round", "steady rate", "worker CPU", "broker CPU", "server CPU", "others' CPU %");
        List<List<String>> rows = results.runs().stream()
                .map(run -> List.of(
                        Html.escaped(run.entrant()) + (run.noisy() ? " *" : ""),
                        run.round() < 1 ? "warm-up" : Integer.toString(run.round()),
                        figure(run, Measure.STEADY_RATE),
                        figure(run, Measure.WORKER_CPU),
                        figure(run, Measure.BROKER_CPU),
                        figure(run, Measure.SERVER_CPU),
                        figure(run, Measure.OTHER_CPU)))
                .toList();
        return "<h2>Every run</h2>\n" + Html.table(heading, rows);
    }

    private static String figure(Run run, Measure measure) {
        Optional<Double> figure = run.measure(measure);
        return figure.map(BarChart::number).orElse(run.isOk() ? "" : "failed");
    }

    private String origin() {
        return "<h2>Where this comes from</h2>\n" + list(results.environment())
                + list(results.settings())
                + results.entrants().stream()
                        .filter(entrant -> !entrant.config().isEmpty())
                        .map(entrant -> "<details><summary>Settings of " + Html.escaped(entrant.label()) + "</summary>"
                                + list(entrant.config()) + "</details>\n")
                        .collect(Collectors.joining())
                + String.format(Locale.ROOT, "<p><small>Format %d.</small></p>%n", results.format());
    }

    private static String list(Map<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry ->
                        "<dt>" + Html.escaped(entry.getKey()) + "</dt><dd>" + Html.escaped(entry.getValue()) + "</dd>")
                .collect(Collectors.joining("\n", "<dl>\n", "</dl>\n"));
    }
}
