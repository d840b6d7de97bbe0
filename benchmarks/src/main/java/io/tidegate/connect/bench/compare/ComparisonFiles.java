package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.report.Html;
import io.tidegate.connect.bench.report.Page;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The files of a comparison. */
public record ComparisonFiles(Path folder, String command) {
    public void write(Comparison comparison) throws ToolException {
        new ResultFiles(folder).write(json(comparison), csv(comparison), html(comparison));
    }

    private Map<String, Object> json(Comparison comparison) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("benchmark", "compare");
        json.put("command", command);
        json.put("changes", comparison.changes());
        json.put("missing", comparison.missing());
        return json;
    }

    private static String csv(Comparison comparison) {
        StringBuilder csv = new StringBuilder("entrant,measure,ratio,low,high,verdict\n");
        for (Change change : comparison.changes()) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",%s,%.4f,%.4f,%.4f,%s%n",
                    change.entrant().replace("\"", "\"\""),
                    change.measure().key(),
                    change.interval().ratio(),
                    change.interval().low(),
                    change.interval().high(),
                    change.verdict().name()));
        }
        return csv.toString();
    }

    private String html(Comparison comparison) {
        List<List<String>> rows = comparison.changes().stream()
                .map(change -> List.of(
                        Html.escaped(change.entrant()),
                        Html.escaped(change.measure().title()),
                        String.format(Locale.ROOT, "%.3f", change.interval().ratio()),
                        String.format(
                                Locale.ROOT,
                                "%.3f – %.3f",
                                change.interval().low(),
                                change.interval().high()),
                        Html.escaped(change.verdict().toString())))
                .toList();
        return Page.of(
                "Tidegate bench compare",
                "<p>Ratios of medians, second to first, with their 95 % bootstrap intervals.</p>"
                        + Html.table(List.of("", "figure", "ratio", "95 %", ""), rows),
                command);
    }
}
