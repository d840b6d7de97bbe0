package io.tidegate.connect.common.format;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * The form of values.
 *
 * @param format of all values
 * @param registry that has the schemas of a format that needs some
 */
public record FormatSettings(ValueFormat format, RegistrySettings registry) {
    public static final String VALUE_FORMAT = "value.format";
    private static final String CONVERTER = "value.converter";

    /** Known converters, as Connect also accepts them, that deliver no bytes. Others may. */
    private static final Set<String> CONVERTING = Set.of(
            "AvroConverter",
            "Avro",
            "ByteBufferConverter",
            "JsonConverter",
            "Json",
            "JsonSchemaConverter",
            "JsonSchema",
            "ProtobufConverter",
            "Protobuf",
            "StringConverter",
            "String");

    public FormatSettings {
        requireNonNull(format, "format");
        requireNonNull(registry, "registry");
    }

    /** Adds the settings to a group. */
    public static SettingGroup define(SettingGroup group) {
        return RegistrySettings.define(group.oneOf(VALUE_FORMAT, "Format of values", ValueFormat.CONNECT)
                .medium("The form of values. `connect`: what the converter delivers. `avro`: Avro in bytes"
                        + " (`ByteArrayConverter`) behind a schema registry's frame or header, written as the JSON"
                        + " that the registry's converter would lead to, at less cost. Needs "
                        + RegistrySettings.SCHEMA_REGISTRY_URL + "."));
    }

    public static FormatSettings from(AbstractConfig config) {
        return new FormatSettings(
                EnumSetting.read(config, VALUE_FORMAT, ValueFormat.class), RegistrySettings.from(config));
    }

    /**
     * The settings that do not fit together.
     *
     * @param props the connector's settings
     */
    public List<Problem> problems(Map<String, String> props) {
        List<Problem> problems = new ArrayList<>(problems());
        String converter = String.valueOf(props.getOrDefault(CONVERTER, "")).trim();
        Problem.when(
                        format != ValueFormat.CONNECT
                                && CONVERTING.contains(converter.substring(converter.lastIndexOf('.') + 1)),
                        VALUE_FORMAT,
                        EnumSetting.text(format) + " needs the bytes of values, and " + CONVERTER + "=" + converter
                                + " converts them: set that to org.apache.kafka.connect.converters.ByteArrayConverter,"
                                + " or this to connect")
                .ifPresent(problems::add);
        return problems;
    }

    private List<Problem> problems() {
        return format == ValueFormat.CONNECT ? List.of() : registry.problems();
    }

    /**
     * What turns values into JSON, if a converter does not.
     *
     * @throws ConfigException when the settings cannot be used
     */
    public Optional<ValueDecoder> decoder() {
        Problem.refuse(problems());
        return format == ValueFormat.CONNECT
                ? Optional.empty()
                : Optional.of(ValueDecoders.of(format).open(registry));
    }
}
