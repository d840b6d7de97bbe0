package io.tidegate.connect.jsonb;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The transforms of a connector, which may make anything of a record before the sink sees it. */
final class Transforms {
    private Transforms() {}

    /** Hashes the settings of the transforms and of their predicates; 0 if there are no transforms. */
    static long hashOf(Map<String, String> props) {
        if (props.getOrDefault("transforms", "").isBlank()) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        new TreeMap<>(props).forEach((key, value) -> {
            if (key.startsWith("transforms") || key.startsWith("predicates")) {
                crc.update((key + '=' + value + '\n').getBytes(StandardCharsets.UTF_8));
            }
        });
        return 1 + crc.getValue();
    }
}
