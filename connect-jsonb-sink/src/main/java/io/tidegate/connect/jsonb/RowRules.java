package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.settings.DefaultsSetting;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.ValueSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The rules by which a record becomes a row, as one number. What was written under other rules cannot be compared with what
 * would be written today, though the record is the same.
 */
final class RowRules {
    private static final List<String> PREFIXES = List.of(
            "transforms",
            "predicates",
            "key.converter",
            "value.converter",
            "pk.",
            InsertSettings.DELETE_ENABLED,
            ValueSettings.UNSTORABLE_CHARACTERS,
            DefaultsSetting.REPLACE_NULL_WITH_DEFAULT);

    private RowRules() {}

    /** By our names of the settings, the sink's version included. */
    static long hashOf(Map<String, String> props) {
        CRC32C crc = new CRC32C();
        new TreeMap<>(props).forEach((key, value) -> {
            if (PREFIXES.stream().anyMatch(key::startsWith)) {
                crc.update((key + '=' + value + '\n').getBytes(StandardCharsets.UTF_8));
            }
        });
        crc.update(PostgresTargetType.VERSION.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }
}
