package io.tidegate.connect.jsonb.row;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A column for a record's metadata: {@code offset}, or {@code offset:src_offset}.
 *
 * @param column as in the catalogue, not quoted
 */
public record MetadataColumn(RowField input, String column) {
    private static final Map<String, RowField> INPUTS = Map.of(
            "source_position", RowField.SOURCE_POSITION,
            "key", RowField.RECORD_KEY,
            "topic", RowField.TOPIC,
            "partition", RowField.PARTITION,
            "offset", RowField.OFFSET,
            "timestamp", RowField.TIMESTAMP,
            "headers", RowField.HEADERS);

    public MetadataColumn {
        requireNonNull(input, "input");
        requireNonNull(column, "column");
    }

    /**
     * Reads {@code source}, for a column named {@code __connect_source}, or {@code source:column}.
     *
     * @throws IllegalArgumentException with the reason
     */
    public static MetadataColumn parse(String text) {
        String[] parts = text.split(":", 2);
        String source = parts[0].trim().toLowerCase(Locale.ROOT);
        String column = parts.length == 1 ? "__connect_" + source : parts[1].trim();
        if (!INPUTS.containsKey(source) || column.isEmpty()) {
            throw new IllegalArgumentException("`" + text + "` is none of " + names() + ", alone or with :column");
        }
        return new MetadataColumn(INPUTS.get(source), column);
    }

    private static String names() {
        String[] names = INPUTS.keySet().toArray(String[]::new);
        Arrays.sort(names);
        return Arrays.stream(names).collect(Collectors.joining(", "));
    }

    public Column asColumn() {
        return Column.of(column, input);
    }
}
