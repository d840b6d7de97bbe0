package io.tidegate.connect.bench.form;

import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The form of a record's value: its bytes in Kafka, and the settings that a connector needs for it. */
public enum ValueForm {
    /** JSON as bytes, with the connector's own converter. */
    BYTES("", Map.of()),
    /** JSON behind the frame of Confluent's or Apicurio's registry: byte 0 and an id of 4 bytes. */
    FRAMED("framed", Map.of()),
    /** JSON as text. */
    STRING("", Map.of("value.converter", "org.apache.kafka.connect.storage.StringConverter")),
    /** JSON, parsed to maps. */
    JSON("", Map.of("value.converter", Settings.JSON, "value.converter.schemas.enable", "false")),
    /** Avro behind the frame of Apicurio's registry; the connector reads it. */
    AVRO("avro", Map.of("value.format", "avro", "schema.registry.url", Settings.REGISTRY)),
    /** The same bytes, through the registry's converter. */
    AVRO_CONVERTER(
            "avro",
            Map.of(
                    "value.converter",
                    ApicurioRegistry.AVRO_CONVERTER,
                    "value.converter.apicurio.registry.url",
                    Settings.REGISTRY)),
    /** Change events as JSON without a schema; the connector takes them apart. */
    DEBEZIUM("debezium", Settings.DEBEZIUM),
    /** Change events as JSON with a schema in each; the connector takes them apart. */
    DEBEZIUM_SCHEMA("debezium-schema", Settings.DEBEZIUM),
    /** The same events, which Debezium's transform takes apart. It needs the schema. */
    DEBEZIUM_UNWRAP(
            "debezium-schema",
            Map.of(
                    "value.converter",
                    Settings.JSON,
                    "value.converter.schemas.enable",
                    "true",
                    "transforms",
                    "unwrap",
                    "transforms.unwrap.type",
                    "io.debezium.transforms.ExtractNewRecordState")),
    /** No value: the record deletes the row or document with its key. */
    TOMBSTONE("tombstone", Map.of());

    /** The names on the command line. */
    public static final List<String> NAMES =
            Stream.of(values()).map(ValueForm::toString).toList();

    private final String records;

    @SuppressWarnings("ImmutableEnumChecker") // Map.of makes an immutable map
    private final Map<String, String> settings;

    ValueForm(String records, Map<String, String> settings) {
        this.records = records;
        this.settings = settings;
    }

    /** The form of that name, which is one of {@link #NAMES}. */
    public static ValueForm of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The settings that a connector needs for it. */
    public Map<String, String> settings() {
        return settings;
    }

    /** The name of its bytes in Kafka, which several forms can share. Empty for those of the source. */
    public String records() {
        return records;
    }

    /** Whether the bytes in Kafka are those of the source. */
    public boolean isPlain() {
        return records.isEmpty();
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class Settings {
        static final String JSON = "org.apache.kafka.connect.json.JsonConverter";
        static final String REGISTRY = "${env:" + ValueForms.REGISTRY_URL + "}";
        static final Map<String, String> DEBEZIUM = Map.of("value.envelope", "debezium");
    }
}
