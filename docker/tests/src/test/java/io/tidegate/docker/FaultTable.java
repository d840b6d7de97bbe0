package io.tidegate.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A Markdown table with a line for each fault. */
final class FaultTable {
    private static final String BEGIN = "<!-- faults: written by FaultsIT, do not edit -->\n";
    private static final String END = "<!-- faults: end -->\n";

    private final Duration troubled;
    private final List<String> lines = new ArrayList<>();

    /** @param troubled the duration of each fault, except restarts */
    FaultTable(Duration troubled) {
        this.troubled = troubled;
    }

    void add(Trouble trouble, long sent, Map<String, Long> standstills, Map<String, Comparison> compared, Watch watch) {
        String line = "| %s | %s | %s | %d | %d | %d | %d | %d |"
                .formatted(
                        trouble.where(),
                        trouble.what(),
                        standstills.values().stream().map(String::valueOf).collect(Collectors.joining(" | ")),
                        watch.failures().size(),
                        sent,
                        compared.values().stream().mapToLong(Comparison::lost).sum(),
                        compared.values().stream()
                                .mapToLong(comparison -> comparison.doubled() + comparison.foreign())
                                .sum(),
                        watch.mostConnections());
        System.err.println(line);
        lines.add(line);
    }

    private String markdown() {
        return """
                | what failed | how, for %d s | s without progress: PostgreSQL, by key | PostgreSQL, exactly once | Elasticsearch, by id \
                | failed tasks | readings sent | lost | doubled or changed | most connections to PostgreSQL |
                |---|---|---|---|---|---|---|---|---|---|
                """.formatted(troubled.toSeconds()) + String.join("\n", lines) + "\n";
    }

    /** Writes the table between the markers of a page. */
    void write(Path page) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        if (!text.contains(BEGIN) || end < begin) {
            throw new IOException("no markers in " + page);
        }
        Files.writeString(page, text.substring(0, begin) + markdown() + text.substring(end));
    }
}
