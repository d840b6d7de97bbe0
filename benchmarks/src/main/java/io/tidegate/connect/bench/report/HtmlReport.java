package io.tidegate.connect.bench.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The page of a result folder, as {@code report.mustache} lays it out. The template reads the components and methods of
 * this record.
 */
public record HtmlReport(Results results, List<Chart> charts) {
    private static final Template TEMPLATE = template();

    /** The maximum number of columns of a table, so that it fits on a printed page. */
    private static final int MAX_COLUMNS = 8;

    private static final List<Measure> RUN_COLUMNS =
            List.of(Measure.STEADY_RATE, Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU, Measure.OTHER_CPU);

    record Table(String title, String about, List<Column> heading, List<Row> rows) {}

    record Column(String name, String unit) {}

    record Row(String name, List<Cell> cells) {}

    record Cell(String figure, String range) {}

    private static Template template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.mustache")) {
            return Mustache.compiler()
                    .emptyStringIsFalse(true)
                    .compile(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a result folder: the page, its data files, and pictures of its charts. */
    public static void write(Path folder, Results results) throws ToolException {
        List<Chart> charts = Chart.obstacle().isEmpty() ? new Charts(results).all() : List.of();
        new ResultFiles(folder).write(results, new HtmlReport(results, charts).page());
        Pictures.write(folder, charts);
    }

    /** Writes the same without charts while the measurement still runs: drawing takes time. */
    static void writeMeanwhile(Path folder, Results results) throws ToolException {
        new ResultFiles(folder).write(results, new HtmlReport(results, List.of()).page());
    }

    String page() {
        return TEMPLATE.execute(this);
    }

    String title() {
        return "Tidegate bench " + results.benchmark() + ", " + results.started();
    }

    List<Run> failures() {
        return results.runs().stream().filter(run -> !run.isOk()).toList();
    }

    boolean hasFindings() {
        return !results.findings().isEmpty();
    }

    boolean hasCharts() {
        return !charts.isEmpty();
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!results.complete()) {
            notes.add("The measurement did not finish. This page shows the results until then.");
        }
        List<Run> counted = results.runs().stream().filter(Run::counts).toList();
        List<Run> noisy = counted.stream().filter(Run::noisy).toList();
        if (!noisy.isEmpty()) {
            boolean lagged = noisy.get(0).measure(Measure.GENERATOR_LAG).isPresent();
            notes.add("In " + noisy.size() + " of " + counted.size() + " runs "
                    + (lagged
                            ? "the generator was the limit: it fell more than a second behind its schedule."
                            : "other processes used more than a tenth of the CPU. Do not trust the rates of these"
                                    + " runs; their CPU time per record is more reliable.")
                    + " They are marked with *.");
        }
        if (counted.isEmpty()) {
            notes.add("No run has results yet.");
        } else {
            Chart.obstacle().ifPresent(notes::add);
        }
        return notes;
    }

    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        List<Summary.Line> lines = results.summary().lines();
        List<Measure> known = Stream.of(Measure.values())
                .filter(measure -> measure != Measure.SECONDS && measure != Measure.START_SECONDS)
                .filter(measure ->
                        lines.stream().anyMatch(line -> line.measure(measure).isPresent()))
                .toList();
        for (int from = 0; from < known.size(); from += MAX_COLUMNS) {
            List<Measure> columns = known.subList(from, Math.min(known.size(), from + MAX_COLUMNS));
            tables.add(new Table(
                    "Medians, with the lowest and the highest run",
                    "",
                    heading("", columns),
                    lines.stream().map(line -> row(line, columns)).toList()));
        }
        List<Summary.Ratio> ratios = results.summary().ratios();
        if (!ratios.isEmpty()) {
            tables.add(new Table(
                    "Ratios to " + ratios.get(0).to() + ", round by round",
                    "Each ratio compares runs of the same round, so that a slow machine does not change it.",
                    List.of(new Column("", ""), new Column("ratio", "")),
                    ratios.stream().map(HtmlReport::row).toList()));
        }
        if (results.runs().stream()
                .anyMatch(run -> run.measure(Measure.STEADY_RATE).isPresent())) {
            tables.add(new Table(
                    "Every run",
                    "",
                    heading("run", RUN_COLUMNS),
                    results.runs().stream().map(HtmlReport::row).toList()));
        }
        return tables;
    }

    private static List<Column> heading(String first, List<Measure> columns) {
        return Stream.concat(
                        Stream.of(new Column(first, "")),
                        columns.stream().map(measure -> new Column(measure.title(), measure.unit())))
                .toList();
    }

    private static Row row(Summary.Line line, List<Measure> columns) {
        return new Row(
                line.title(),
                columns.stream()
                        .map(column ->
                                line.measure(column).map(HtmlReport::cell).orElse(new Cell("", "")))
                        .toList());
    }

    private static Row row(Summary.Ratio ratio) {
        String measure = Measure.of(ratio.measure()).map(Measure::title).orElse(ratio.measure());
        return new Row(ratio.entrant() + ", " + measure, List.of(cell(ratio.ratio())));
    }

    private static Row row(Run run) {
        String round = run.round() < 1 ? "warm-up" : "round " + run.round();
        return new Row(
                run.entrant() + ", " + round + (run.noisy() ? " *" : ""),
                RUN_COLUMNS.stream()
                        .map(column -> new Cell(
                                run.measure(column).map(Figures::number).orElse(run.isOk() ? "" : "failed"), ""))
                        .toList());
    }

    private static Cell cell(Spread spread) {
        String range = Figures.number(spread.min()) + " – " + Figures.number(spread.max());
        return new Cell(Figures.number(spread.median()), spread.runs() < 2 ? "" : range);
    }
}
