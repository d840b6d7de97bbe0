package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A column for what stands beside a record's value: {@code offset}, or {@code offset:src_offset}.
 *
 * @param column as in the catalogue, not quoted
 */
record Metadata(Input input, String column) {
    private static final Map<String, Input> INPUTS = Map.of(
            "key", Input.RECORD_KEY,
            "topic", Input.TOPIC,
            "partition", Input.PARTITION,
            "offset", Input.OFFSET,
            "timestamp", Input.TIMESTAMP,
            "headers", Input.HEADERS);

    Metadata {
        requireNonNull(input, "input");
        requireNonNull(column, "column");
    }

    /**
     * Reads {@code source}, for a column named {@code __connect_source}, or {@code source:column}.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    static Metadata parse(String text) {
        String[] parts = text.split(":", 2);
        String source = parts[0].trim().toLowerCase(Locale.ROOT);
        String column = parts.length == 1 ? "__connect_" + source : parts[1].trim();
        if (!INPUTS.containsKey(source) || column.isEmpty()) {
            throw new IllegalArgumentException("`" + text + "` is none of " + names() + ", alone or with :column");
        }
        return new Metadata(INPUTS.get(source), column);
    }

    private static String names() {
        String[] names = INPUTS.keySet().toArray(String[]::new);
        Arrays.sort(names);
        return Arrays.stream(names).collect(Collectors.joining(", "));
    }

    Column asColumn() {
        return Column.of(column, input);
    }
}
