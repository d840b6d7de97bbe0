package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.settings.DefaultsSetting;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.ValueSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A hash of the rules by which a record becomes a row. Rows that were written under different rules cannot be compared,
 * even if the record is the same.
 */
final class RowRules {
    private static final List<String> PREFIXES = List.of(
            "transforms",
            "predicates",
            "key.converter",
            "value.converter",
            "pk.",
            FormatSettings.VALUE_FORMAT,
            FramingSettings.VALUE_FRAMING,
            FramingSettings.KEY_FRAMING,
            EnvelopeSettings.VALUE_ENVELOPE,
            "debezium.",
            InsertSettings.DELETE_ENABLED,
            ValueSettings.UNSTORABLE_CHARACTERS,
            DefaultsSetting.REPLACE_NULL_WITH_DEFAULT);

    private RowRules() {}

    /** Hashes the settings under our names, not their aliases, and the sink's version. */
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
