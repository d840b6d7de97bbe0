package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** The forms of a record's value, as their converters make them of a reading's JSON. */
public enum ConvertedValue {
    /** {@code ByteArrayConverter}. */
    BYTES,
    /** {@code ByteArrayConverter}, behind a schema registry's frame. */
    FRAMED,
    /** {@code StringConverter}. */
    STRING,
    /** {@code JsonConverter} without schemas. */
    MAP,
    /** {@code JsonConverter} with schemas, Avro, Protobuf. */
    STRUCT;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Schema LOCATION = SchemaBuilder.struct()
            .field("lat", Schema.FLOAT64_SCHEMA)
            .field("lon", Schema.FLOAT64_SCHEMA)
            .build();
    private static final Schema SCHEMA = SchemaBuilder.struct()
            .field("station", Schema.STRING_SCHEMA)
            .field("name", Schema.STRING_SCHEMA)
            .field("state", Schema.OPTIONAL_STRING_SCHEMA)
            .field("location", LOCATION)
            .field("time", Schema.STRING_SCHEMA)
            .field("level", Schema.FLOAT64_SCHEMA)
            .field("sigma", Schema.FLOAT64_SCHEMA)
            .field("flags", Schema.STRING_SCHEMA)
            .field("quality", Schema.STRING_SCHEMA)
            .field("product", Schema.STRING_SCHEMA)
            .build();

    SchemaAndValue of(byte[] json) {
        String text = new String(json, UTF_8);
        return switch (this) {
            case BYTES -> new SchemaAndValue(null, json);
            case FRAMED -> new SchemaAndValue(null, ("\0\0\0\0\7" + text).getBytes(UTF_8));
            case STRING -> new SchemaAndValue(null, text);
            case MAP -> new SchemaAndValue(null, map(json));
            case STRUCT -> new SchemaAndValue(SCHEMA, struct(SCHEMA, map(json)));
        };
    }

    private static Map<?, ?> map(byte[] json) {
        try {
            return JSON.readValue(json, Map.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Struct struct(Schema schema, Map<?, ?> fields) {
        Struct struct = new Struct(schema);
        fields.forEach((name, value) ->
                struct.put((String) name, value instanceof Map<?, ?> inner ? struct(LOCATION, inner) : value));
        return struct;
    }
}
