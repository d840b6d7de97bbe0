package io.tidegate.connect.common.frame;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.ValueFormat;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;

/**
 * The frames of a schema registry that are taken off.
 *
 * @param values of values that arrive as bytes
 * @param keys of keys that arrive as bytes
 */
public record FramingSettings(Framing values, Framing keys) {
    public static final String VALUE_FRAMING = "value.framing";
    public static final String KEY_FRAMING = "key.framing";

    public FramingSettings {
        requireNonNull(values, "values");
        requireNonNull(keys, "keys");
    }

    /** Adds the settings to a group. */
    public static SettingGroup define(SettingGroup group) {
        return group.oneOf(VALUE_FRAMING, "Framing of values", Framing.AUTO)
                .low("The schema registry's frame before the JSON of a value in bytes (`ByteArrayConverter`)."
                        + " `auto` recognises the frames of Confluent, Apicurio and Glue by their first byte, with"
                        + " which no JSON begins, and skips them without asking a registry. `none` takes values as"
                        + " they are.")
                .oneOf(KEY_FRAMING, "Framing of keys", Framing.NONE)
                .low(
                        "The same for keys in bytes. A JSON string after the frame becomes its text. Not `auto` by"
                                + " default, because a key in bytes may be a number whose first byte is zero, like a frame's."
                                + " With `none`, a record whose key identifies or places it and begins like a frame is refused.");
    }

    /** Whether these frames hold the id that a format needs. */
    public Optional<Problem> problem(FormatSettings format) {
        boolean needsIds = format.format() != ValueFormat.CONNECT;
        return Problem.when(
                needsIds && values == Framing.NONE,
                VALUE_FRAMING,
                FormatSettings.VALUE_FORMAT + "=" + EnumSetting.text(format.format())
                        + " reads frames of Confluent and Apicurio; set auto");
    }

    public static FramingSettings from(AbstractConfig config) {
        return new FramingSettings(
                EnumSetting.read(config, VALUE_FRAMING, Framing.class),
                EnumSetting.read(config, KEY_FRAMING, Framing.class));
    }
}
