package io.tidegate.connect.tools.tides;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The form of a record's value: its bytes in Kafka, and the converter that the connector has for it. */
public enum ValueForm {
    /** JSON as bytes, with the connector's own converter. */
    BYTES(Map.of()),
    /** JSON behind the frame of Confluent's or Apicurio's registry: byte 0 and an id of 4 bytes. */
    FRAMED(Map.of()),
    /** JSON as text. */
    STRING(Map.of("value.converter", "org.apache.kafka.connect.storage.StringConverter")),
    /** JSON, parsed to maps. */
    JSON(Map.of(
            "value.converter",
            "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable",
            "false"));

    /** The names on the command line. */
    public static final List<String> NAMES =
            Stream.of(values()).map(ValueForm::toString).toList();

    private static final byte[] FRAME = {0, 0, 0, 0, 7};

    @SuppressWarnings("ImmutableEnumChecker") // Map.of makes an immutable map
    private final Map<String, String> settings;

    ValueForm(Map<String, String> settings) {
        this.settings = settings;
    }

    /** The settings that a connector needs for it. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Whether the bytes in Kafka are those of the source. */
    public boolean isPlain() {
        return this != FRAMED;
    }

    /** The source's records with the bytes of this form. */
    public TideSource of(TideSource source) {
        return isPlain()
                ? source
                : (limit, receiver) -> source.stream(limit, (key, value) -> receiver.accept(key, framed(value)));
    }

    private static byte[] framed(byte[] value) {
        byte[] framed = new byte[FRAME.length + value.length];
        System.arraycopy(FRAME, 0, framed, 0, FRAME.length);
        System.arraycopy(value, 0, framed, FRAME.length, value.length);
        return framed;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
