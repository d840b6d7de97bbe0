package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * What becomes of values that PostgreSQL cannot store.
 *
 * @param nulls records without a value, where they delete nothing
 * @param characters what JSON may hold and {@code jsonb} may not
 */
public record ValueSettings(NullValues nulls, UnstorableCharacters characters) {
    static final String NULL_VALUES = "behavior.on.null.values";
    public static final String UNSTORABLE_CHARACTERS = "behavior.on.unstorable.characters";

    private static final String GROUP = "Values";

    public ValueSettings {
        requireNonNull(nulls, "nulls");
        requireNonNull(characters, "characters");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        NULL_VALUES,
                        Type.STRING,
                        "ignore",
                        ValidString.in("ignore", "fail"),
                        Importance.LOW,
                        "What becomes of a record without a value, unless `delete.enabled` makes it a deletion: `ignore` passes it"
                                + " over, `fail` refuses it.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Null values")
                .define(
                        UNSTORABLE_CHARACTERS,
                        Type.STRING,
                        "fail",
                        ValidString.in(SettingNames.of(UnstorableCharacters.values())),
                        Importance.LOW,
                        "What becomes of the characters that PostgreSQL stores in no `jsonb`: `\\u0000`, NUL bytes, half a surrogate"
                                + " pair, bytes that are not UTF-8. `fail` refuses the record; `replace` writes U+FFFD for"
                                + " each, `strip` leaves them out. Both look through every value before it is sent.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Unstorable characters");
    }

    public static ValueSettings from(AbstractConfig config) {
        return new ValueSettings(
                SettingNames.valueOf(NullValues.class, config.getString(NULL_VALUES)),
                SettingNames.valueOf(UnstorableCharacters.class, config.getString(UNSTORABLE_CHARACTERS)));
    }
}
