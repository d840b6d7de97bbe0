package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How values that PostgreSQL cannot store are handled.
 *
 * @param nulls how records without a value are handled, if they do not delete
 * @param characters how characters that {@code jsonb} cannot store are handled
 */
public record ValueSettings(NullValues nulls, UnstorableCharacters characters) {
    static final String NULL_VALUES = "behavior.on.null.values";
    public static final String UNSTORABLE_CHARACTERS = "behavior.on.unstorable.characters";

    public ValueSettings {
        requireNonNull(nulls, "nulls");
        requireNonNull(characters, "characters");
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup values = new SettingGroup(def, "Values")
                .oneOf(NULL_VALUES, "Null values", NullValues.IGNORE, List.of(NullValues.IGNORE, NullValues.FAIL))
                .low("What happens to a record without a value if `delete.enabled` is false: `ignore` skips it,"
                        + " `fail` refuses it.")
                .oneOf(UNSTORABLE_CHARACTERS, "Unstorable characters", UnstorableCharacters.FAIL)
                .low("What happens to characters that PostgreSQL cannot store: `\\u0000` in JSON, NUL bytes, half a"
                        + " surrogate pair, bytes that are not UTF-8, in values, headers and keys. `fail` refuses the"
                        + " record, `replace` writes U+FFFD for each, `strip` removes them. Two keys that differ in"
                        + " nothing else then name the same row.");
        return FormatSettings.define(FramingSettings.define(values)).configDef();
    }

    /** Makes an encoder for a record's key and headers. Only one thread may use it. */
    public MetadataEncoder metadataEncoder() {
        return new MetadataEncoder(characters::text, characters::json);
    }

    public static ValueSettings from(AbstractConfig config) {
        return new ValueSettings(
                EnumSetting.read(config, NULL_VALUES, NullValues.class),
                EnumSetting.read(config, UNSTORABLE_CHARACTERS, UnstorableCharacters.class));
    }
}
