package io.tidegate.connect.testkit.scenarios;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A list of metrics as the page on metrics shows it. */
public final class MetricsReference {
    /** A metric as operators see it. */
    public record Row(String name, String unit, String description) {
        private String markdown() {
            return "| `" + name + "` | " + unit + " | " + description + " |\n";
        }
    }

    private MetricsReference() {}

    /**
     * Fails when the page does not show these metrics as they are.
     *
     * @param part the name of the part of the page, as in its markers
     */
    public static void check(String part, List<Row> metrics, Path page) {
        String rows = metrics.stream().map(Row::markdown).collect(Collectors.joining());
        new GeneratedPart(part, "the code").check(page, "| metric | unit | |\n|---|---|---|\n" + rows);
    }
}
