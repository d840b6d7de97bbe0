package io.tidegate.connect.check.draw;

import java.util.Map;

/** The form of keys and values in Kafka, with the converters that read it. */
enum Form {
    BYTES("org.apache.kafka.connect.converters.ByteArrayConverter", Map.of()),
    FRAMED("org.apache.kafka.connect.converters.ByteArrayConverter", Map.of()),
    STRING("org.apache.kafka.connect.storage.StringConverter", Map.of()),
    MAP("org.apache.kafka.connect.json.JsonConverter", Map.of("value.converter.schemas.enable", "false")),
    STRUCT("org.apache.kafka.connect.json.JsonConverter", Map.of("value.converter.schemas.enable", "true")),
    AVRO("org.apache.kafka.connect.converters.ByteArrayConverter", Map.of("value.format", "avro")),
    DEBEZIUM("org.apache.kafka.connect.converters.ByteArrayConverter", Map.of("value.envelope", "debezium")),
    DEBEZIUM_MAP(
            "org.apache.kafka.connect.json.JsonConverter",
            Map.of("value.envelope", "debezium", "value.converter.schemas.enable", "false"));

    private final String converter;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> more;

    Form(String converter, Map<String, String> more) {
        this.converter = converter;
        this.more = more;
    }

    void configure(Draw draw, Map<String, String> settings) {
        settings.put("value.converter", converter);
        settings.putAll(more);
        settings.put(
                "key.converter",
                draw.chance(50)
                        ? "org.apache.kafka.connect.storage.StringConverter"
                        : "org.apache.kafka.connect.converters.ByteArrayConverter");
    }

    /** Whether the sink gets the bytes of the JSON, or their text, as they are in Kafka. */
    boolean isRaw() {
        return this == BYTES || this == FRAMED || this == STRING;
    }

    boolean isDebezium() {
        return this == DEBEZIUM || this == DEBEZIUM_MAP;
    }
}
