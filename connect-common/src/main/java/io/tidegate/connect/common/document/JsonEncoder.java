package io.tidegate.connect.common.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;

/**
 * The JSON bytes of a Connect value. Bytes, slices and top-level strings already contain JSON and pass through unchanged.
 * Jackson's streaming generator writes every other value once. Not thread-safe: the buffer is reused.
 *
 * <p>Logical types get the form that queries expect: a {@code Decimal} and Debezium's {@code VariableScaleDecimal} become
 * a number with its scale, a {@code Date} {@code 2015-01-01}, a {@code Time} {@code 00:06:00.000}, a {@code Timestamp}
 * {@code 2015-01-01T00:06:00.000Z}, and bytes inside a value become Base64.
 */
public final class JsonEncoder {
    /** The name of the schema that Debezium gives numbers without a fixed scale. */
    public static final String VARIABLE_SCALE_DECIMAL = "io.debezium.data.VariableScaleDecimal";

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();
    private static final DateTimeFormatter TIME_FORMAT = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final DateTimeFormatter TIMESTAMP_FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final ByteArrayBuilder buffer = new ByteArrayBuilder(4096);

    /**
     * The JSON of a value.
     *
     * @param schema the value's schema, or {@code null} as Connect gives it for schemaless values
     * @param value not null
     * @throws RefusedException when the value has no JSON form
     */
    public ByteSlice encode(Schema schema, Object value) {
        if (value instanceof byte[] json) {
            return nonEmpty(ByteSlice.of(json));
        }
        if (value instanceof ByteSlice json) {
            return nonEmpty(json);
        }
        if (value instanceof String json) {
            return nonEmpty(ByteSlice.of(Utf8.encode(json)));
        }
        if (value instanceof ByteBuffer json) {
            return nonEmpty(ByteSlice.of(copyOf(json)));
        }
        return generate(generator -> write(generator, schema, value));
    }

    /**
     * The JSON object of these fields. A text among them becomes a JSON string, because it is not a document.
     *
     * @throws RefusedException when a value has no JSON form
     */
    public ByteSlice encodeFields(Map<String, SchemaAndValue> fields) {
        return generate(generator -> {
            generator.writeStartObject();
            for (Map.Entry<String, SchemaAndValue> field : fields.entrySet()) {
                generator.writeFieldName(field.getKey());
                write(generator, field.getValue().schema(), field.getValue().value());
            }
            generator.writeEndObject();
        });
    }

    private interface Writing {
        void to(JsonGenerator generator) throws IOException;
    }

    private ByteSlice generate(Writing writing) {
        buffer.reset();
        try (JsonGenerator generator = FACTORY.createGenerator(buffer)) {
            writing.to(generator);
        } catch (JsonProcessingException e) {
            // Half a surrogate pair, or a nesting or scale beyond Jackson's bounds: only this record is at fault.
            throw new RefusedException("the value has no JSON form: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
        return ByteSlice.of(buffer.toByteArray());
    }

    private static ByteSlice nonEmpty(ByteSlice json) {
        if (json.isEmpty()) {
            throw new RefusedException("the value is empty, and that is not JSON");
        }
        return json;
    }

    static byte[] copyOf(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    private void write(JsonGenerator generator, Schema schema, Object value) throws IOException {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Struct struct) {
            writeStruct(generator, struct);
        } else if (value instanceof Map<?, ?> map) {
            writeMap(generator, schema, map);
        } else if (value instanceof List<?> list) {
            writeList(generator, schema, list);
        } else if (value instanceof Date date) {
            writeDate(generator, schema, date);
        } else {
            writeScalar(generator, value);
        }
    }

    private void writeStruct(JsonGenerator generator, Struct struct) throws IOException {
        if (VARIABLE_SCALE_DECIMAL.equals(struct.schema().name())) {
            generator.writeNumber(decimal(struct));
            return;
        }
        generator.writeStartObject();
        for (Field field : struct.schema().fields()) {
            generator.writeFieldName(field.name());
            write(generator, field.schema(), valueOf(struct, field));
        }
        generator.writeEndObject();
    }

    private static BigDecimal decimal(Struct struct) {
        try {
            byte[] unscaled = struct.getBytes("value");
            Integer scale = struct.getInt32("scale");
            if (unscaled != null && unscaled.length > 0 && scale != null) {
                return new BigDecimal(new BigInteger(unscaled), scale);
            }
        } catch (DataException e) {
            // It has other fields than Debezium's.
        }
        throw new RefusedException(
                "the value holds a VariableScaleDecimal without bytes in `value` or without an int32 in `scale`");
    }

    /** A null in an optional field stays null. A required field without a value has its default. */
    private static Object valueOf(Struct struct, Field field) {
        return field.schema().isOptional() ? struct.getWithoutDefault(field.name()) : struct.get(field);
    }

    private void writeMap(JsonGenerator generator, Schema schema, Map<?, ?> map) throws IOException {
        Schema values = elementSchema(schema);
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            generator.writeFieldName(fieldName(entry.getKey()));
            write(generator, values, entry.getValue());
        }
        generator.writeEndObject();
    }

    private static String fieldName(Object key) {
        if (key instanceof String || key instanceof Number || key instanceof Boolean) {
            return key.toString();
        }
        throw new RefusedException("a map in the value has a key of type "
                + (key == null ? "null" : key.getClass().getName()) + ", which cannot name a JSON field");
    }

    private void writeList(JsonGenerator generator, Schema schema, List<?> list) throws IOException {
        Schema elements = elementSchema(schema);
        generator.writeStartArray();
        for (Object element : list) {
            write(generator, elements, element);
        }
        generator.writeEndArray();
    }

    /**
     * The schema of a list's or map's values; {@code null} if there is none or a transform has left a schema of another
     * type.
     */
    private static Schema elementSchema(Schema schema) {
        boolean hasElements =
                schema != null && (schema.type() == Schema.Type.ARRAY || schema.type() == Schema.Type.MAP);
        return hasElements ? schema.valueSchema() : null;
    }

    @SuppressWarnings("JavaUtilDate") // dates of java.sql, which some transforms return, have no toInstant
    private static void writeDate(JsonGenerator generator, Schema schema, Date date) throws IOException {
        Instant instant = Instant.ofEpochMilli(date.getTime());
        String name = schema == null || schema.name() == null ? Timestamp.LOGICAL_NAME : schema.name();
        switch (name) {
            case org.apache.kafka.connect.data.Date.LOGICAL_NAME ->
                generator.writeString(
                        LocalDate.ofInstant(instant, ZoneOffset.UTC).toString());
            case Time.LOGICAL_NAME ->
                generator.writeString(TIME_FORMAT.format(LocalTime.ofInstant(instant, ZoneOffset.UTC)));
            default -> generator.writeString(TIMESTAMP_FORMAT.format(instant));
        }
    }

    private static void writeScalar(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof String text) {
            generator.writeString(text);
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            writeNumber(generator, number);
        } else if (value instanceof byte[] bytes) {
            generator.writeBinary(bytes);
        } else if (value instanceof ByteBuffer bytes) {
            generator.writeBinary(copyOf(bytes));
        } else {
            throw noJsonForm(value);
        }
    }

    private static RefusedException noJsonForm(Object value) {
        return new RefusedException("the value holds a " + value.getClass().getName() + ", which has no JSON form");
    }

    /** {@link Decimal} values arrive as {@code BigDecimal} and keep their scale. */
    private static void writeNumber(JsonGenerator generator, Number number) throws IOException {
        if (number instanceof BigDecimal decimal) {
            generator.writeNumber(decimal);
        } else if (number instanceof BigInteger integer) {
            generator.writeNumber(integer);
        } else if (number instanceof Double || number instanceof Float) {
            writeFloatingPoint(generator, number);
        } else if (number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte) {
            generator.writeNumber(number.longValue());
        } else {
            throw noJsonForm(number);
        }
    }

    private static void writeFloatingPoint(JsonGenerator generator, Number number) throws IOException {
        if (!Double.isFinite(number.doubleValue())) {
            throw new RefusedException("the value holds the number " + number + ", which JSON cannot express");
        }
        if (number instanceof Float single) {
            generator.writeNumber(single);
        } else {
            generator.writeNumber(number.doubleValue());
        }
    }
}
