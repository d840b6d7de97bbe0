package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonPath;

/**
 * A column of the key, and the path of its value in the record's key or value.
 *
 * @param column as in the catalogue, not quoted
 */
public record KeyField(String column, JsonPath path) {
    public KeyField {
        requireNonNull(column, "column");
        requireNonNull(path, "path");
    }

    /**
     * Reads {@code column}, for a field of the same name, or {@code column:$.path}.
     *
     * @throws IllegalArgumentException with the reason
     */
    public static KeyField parse(String text) {
        int colon = text.indexOf(':');
        String column = (colon < 0 ? text : text.substring(0, colon)).trim();
        if (column.isEmpty()) {
            throw new IllegalArgumentException("`" + text + "` names no column");
        }
        return new KeyField(
                column,
                JsonPath.parse(
                        colon < 0
                                ? "$['" + escaped(column) + "']"
                                : text.substring(colon + 1).trim()));
    }

    /** Escapes any name, including dots and quotes. */
    private static String escaped(String name) {
        return name.replace("\\", "\\\\").replace("'", "\\'");
    }
}
