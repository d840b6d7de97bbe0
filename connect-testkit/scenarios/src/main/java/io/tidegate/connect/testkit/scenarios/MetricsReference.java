package io.tidegate.connect.testkit.scenarios;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Checks a table of metrics on the page about metrics. */
public final class MetricsReference {
    /** A row of the table: one metric. */
    public record Row(String name, String unit, String description) {
        private String markdown() {
            return "| `" + name + "` | " + unit + " | " + description + " |\n";
        }
    }

    private MetricsReference() {}

    /**
     * Fails if the table on the page is not up to date.
     *
     * @param part the name of the part in its markers
     */
    public static void check(String part, List<Row> metrics, Path page) {
        String rows = metrics.stream().map(Row::markdown).collect(Collectors.joining());
        new GeneratedPart(part, "the code").check(page, "| metric | unit | |\n|---|---|---|\n" + rows);
    }
}
