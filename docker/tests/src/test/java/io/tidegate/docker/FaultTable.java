package io.tidegate.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Markdown table with a line for each server and a column for each kind of fault. It has only the seconds without progress: it is
 * written only if no task failed and nothing was lost, doubled or changed.
 */
final class FaultTable {
    private static final String BEGIN = "<!-- faults: written by FaultsIT, do not edit -->\n";
    private static final String END = "<!-- faults: end -->\n";

    /** By server and kind of fault, both in the order of the test. */
    private final Map<String, Map<String, String>> seconds = new LinkedHashMap<>();

    private final Set<String> kinds = new LinkedHashSet<>();

    void add(Trouble trouble, long sent, Map<String, Long> standstills, Map<String, Comparison> compared, Watch watch) {
        String standstill = standstills.values().stream().map(String::valueOf).collect(Collectors.joining(", "));
        System.err.printf(
                "%s: %s s without progress, %d failed tasks, %d readings sent, %d lost, %d doubled or changed, %d connections%n",
                trouble,
                standstill,
                watch.failures().size(),
                sent,
                compared.values().stream().mapToLong(Comparison::lost).sum(),
                compared.values().stream()
                        .mapToLong(comparison -> comparison.doubled() + comparison.foreign())
                        .sum(),
                watch.mostConnections());
        add(trouble.where(), trouble.what(), standstill);
    }

    void add(String where, String what, String standstill) {
        kinds.add(what);
        seconds.computeIfAbsent(where, server -> new LinkedHashMap<>()).put(what, standstill);
    }

    String markdown() {
        StringBuilder table = new StringBuilder();
        table.append(line("what failed", kinds::stream));
        table.append("|---".repeat(kinds.size() + 1)).append("|\n");
        seconds.forEach((where, ofKind) ->
                table.append(line(where, () -> kinds.stream().map(kind -> ofKind.getOrDefault(kind, "")))));
        return table.toString();
    }

    private static String line(String first, Supplier<Stream<String>> others) {
        return Stream.concat(Stream.of(first), others.get()).collect(Collectors.joining(" | ", "| ", " |\n"));
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
