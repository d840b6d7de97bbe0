package io.tidegate.connect.common.envelope;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which columns have JSON as text.
 *
 * @param isBySchema whether those count that the event's schema names
 * @param names of others, in UTF-8
 */
record JsonColumns(boolean isBySchema, List<byte[]> names) {
    static final String AUTO = "auto";

    JsonColumns {
        names = List.copyOf(names);
    }

    /** As the setting says. */
    static JsonColumns of(List<String> setting) {
        return new JsonColumns(
                setting.contains(AUTO),
                setting.stream()
                        .filter(name -> !name.equals(AUTO))
                        .map(name -> name.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }

    /** The columns of a row, in UTF-8. */
    List<byte[]> with(List<byte[]> ofSchema) {
        if (names.isEmpty()) {
            return isBySchema ? ofSchema : List.of();
        }
        return isBySchema && !ofSchema.isEmpty()
                ? Stream.concat(ofSchema.stream(), names.stream()).toList()
                : names;
    }
}
