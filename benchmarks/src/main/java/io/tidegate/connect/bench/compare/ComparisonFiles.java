package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.chart.Html;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the files of a comparison. */
public record ComparisonFiles(Path folder, String command) {
    public void write(Comparison comparison) throws ToolException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("benchmark", "compare");
        json.put("command", command);
        json.put("changes", comparison.changes());
        json.put("missing", comparison.missing());
        new ResultFiles(folder).write(json, csv(comparison), html(comparison));
    }

    private static String csv(Comparison comparison) {
        StringBuilder csv = new StringBuilder("entrant,measure,ratio,low,high,verdict\n");
        for (Change change : comparison.changes()) {
            csv.append(ResultFiles.quoted(change.entrant()))
                    .append(',')
                    .append(change.measure().key())
                    .append(change.interval().format(",%.4f,%.4f,%.4f,"))
                    .append(change.verdict().name())
                    .append('\n');
        }
        return csv.toString();
    }

    private String html(Comparison comparison) {
        List<List<String>> rows = comparison.changes().stream()
                .map(change -> List.of(
                        Html.escaped(change.entrant()),
                        change.measure().title(),
                        change.interval().format("%.3f<br><small>%.3f – %.3f</small>"),
                        change.verdict().toString()))
                .toList();
        String what = "<p>Ratios of medians (second folder / first folder) with 95 % bootstrap intervals.</p>\n";
        return Html.page(
                "Tidegate bench compare",
                what + Html.table(List.of("", "figure", "ratio<br><small>95 % interval</small>", "verdict"), rows),
                command);
    }
}
