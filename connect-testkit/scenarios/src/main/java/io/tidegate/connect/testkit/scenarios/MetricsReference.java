package io.tidegate.connect.testkit.scenarios;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Checks a table of metrics on the page about metrics. */
public final class MetricsReference {
    /** The metrics of one distribution, in their order. They share a row of the table. */
    private static final List<String> DISTRIBUTION = List.of("-avg", "-p50", "-p99", "-max");

    private static final String AVERAGE = ": average.";

    /** One metric. */
    public record Row(String name, String unit, String description) {
        private boolean beginsADistribution() {
            return name.endsWith(DISTRIBUTION.get(0)) && description.endsWith(AVERAGE);
        }

        private String markdown() {
            return "| `" + name + "` | " + unit + " | " + description + " |\n";
        }

        private String markdownOfAll() {
            String others =
                    DISTRIBUTION.stream().skip(1).map(each -> "`" + each + "`").collect(Collectors.joining(", "));
            String text = description.substring(0, description.length() - AVERAGE.length());
            return "| `" + name + "`, " + others + " | " + unit + " | " + text + ". |\n";
        }
    }

    private MetricsReference() {}

    /**
     * Fails if the table on the page is not up to date.
     *
     * @param part the name of the part in its markers
     */
    public static void check(String part, List<Row> metrics, Path page) {
        StringBuilder rows = new StringBuilder();
        int next = 0;
        while (next < metrics.size()) {
            boolean isDistribution = isDistribution(metrics, next);
            Row row = metrics.get(next);
            rows.append(isDistribution ? row.markdownOfAll() : row.markdown());
            next += isDistribution ? DISTRIBUTION.size() : 1;
        }
        new GeneratedPart(part, "the code").check(page, "| metric | unit | meaning |\n|---|---|---|\n" + rows);
    }

    private static boolean isDistribution(List<Row> metrics, int first) {
        Row row = metrics.get(first);
        if (!row.beginsADistribution() || first + DISTRIBUTION.size() > metrics.size()) {
            return false;
        }
        String name = row.name()
                .substring(0, row.name().length() - DISTRIBUTION.get(0).length());
        return metrics.subList(first, first + DISTRIBUTION.size()).stream()
                .map(Row::name)
                .toList()
                .equals(DISTRIBUTION.stream().map(name::concat).toList());
    }
}
