package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Function;
import org.apache.kafka.connect.data.SchemaAndValue;

/** The forms of a record's value. Each constant names the converters that make it. */
@SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
public enum ValueForm {
    /** {@code ByteArrayConverter}. */
    BYTES(reading -> new SchemaAndValue(null, reading.json().getBytes(UTF_8))),
    /** {@code ByteArrayConverter}, behind a schema registry's frame. */
    FRAMED(reading -> new SchemaAndValue(null, ("\0\0\0\0\7" + reading.json()).getBytes(UTF_8))),
    /** {@code StringConverter}. */
    STRING(reading -> new SchemaAndValue(null, reading.json())),
    /** {@code JsonConverter} without schemas. */
    MAP(reading -> new SchemaAndValue(null, reading.map())),
    /** {@code JsonConverter} with schemas, Avro, Protobuf. */
    STRUCT(reading -> new SchemaAndValue(Reading.SCHEMA, reading.struct()));

    private final Function<Reading, SchemaAndValue> converter;

    ValueForm(Function<Reading, SchemaAndValue> converter) {
        this.converter = converter;
    }

    SchemaAndValue of(Reading reading) {
        return converter.apply(reading);
    }
}
