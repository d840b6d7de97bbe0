package io.tidegate.connect.common.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;

/**
 * A column whose JSON in an event is not its value: a text that is JSON, or what Kafka's JSON converter makes of Connect's
 * logical types, such as the Base64 of a number. Immutable.
 *
 * @param name in UTF-8, a whole array
 * @param schema of one of these types, or of arrays of them
 */
record Column(ByteSlice name, Schema schema) {
    private static final String JSON_NAME = "io.debezium.data.Json";
    private static final Schema JSON = SchemaBuilder.string().name(JSON_NAME).build();
    private static final Schema VARIABLE_SCALE =
            SchemaBuilder.struct().name(JsonEncoder.VARIABLE_SCALE_DECIMAL).build();

    /** A column that contains JSON as text. */
    static Column ofJson(String name) {
        return new Column(ByteSlice.of(Utf8.encode(name)), JSON);
    }

    static boolean isJson(Schema schema) {
        return JSON_NAME.equals(schema.name());
    }

    boolean isJson() {
        return isJson(schema);
    }

    /**
     * The schema of a column, if its JSON is not its value.
     *
     * @param scale of a decimal number
     */
    static Optional<Schema> schemaOf(String name, String scale) {
        return Optional.ofNullable(
                switch (name) {
                    case JSON_NAME -> JSON;
                    case JsonEncoder.VARIABLE_SCALE_DECIMAL -> VARIABLE_SCALE;
                    case Decimal.LOGICAL_NAME -> Decimal.schema(Integer.parseInt(scale));
                    case Date.LOGICAL_NAME -> Date.SCHEMA;
                    case Time.LOGICAL_NAME -> Time.SCHEMA;
                    case Timestamp.LOGICAL_NAME -> Timestamp.SCHEMA;
                    default -> null;
                });
    }

    /**
     * What is written for a value of this column: the same as for a {@code Struct} of this schema. A text that should be
     * JSON and is none stays a text.
     *
     * @throws RefusedException when it is no value of the schema
     */
    ByteSlice decoded(ByteSlice json, JsonEncoder encoder) {
        if (isJson()) {
            return json.array()[json.from()] == '"' ? embedded(json) : json;
        }
        try (JsonParser parser = JsonText.FACTORY.createParser(json.array(), json.from(), json.length())) {
            Object value = parser.nextToken() == JsonToken.VALUE_NULL ? null : read(parser, schema);
            return value == null ? json : encoder.encode(schema, value);
        } catch (JsonProcessingException | DataException | NumberFormatException e) {
            throw new RefusedException(
                    "the change event has a column that does not fit its schema"); // without the value
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    private static ByteSlice embedded(ByteSlice string) {
        ByteSlice text = ByteSlice.of(Utf8.encode(JsonText.of(string)));
        return JsonText.isJson(text) ? text : string;
    }

    /** The value that Connect has for this schema; null for null, as in Connect. */
    private static Object read(JsonParser parser, Schema schema) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (schema.type() == Schema.Type.ARRAY) {
            return readArray(parser, schema.valueSchema());
        }
        return switch (schema.name()) {
            case Date.LOGICAL_NAME -> Date.toLogical(schema, parser.getIntValue());
            case Time.LOGICAL_NAME -> Time.toLogical(schema, parser.getIntValue());
            case Timestamp.LOGICAL_NAME -> Timestamp.toLogical(schema, parser.getLongValue());
            case Decimal.LOGICAL_NAME ->
                parser.currentToken() == JsonToken.VALUE_STRING
                        ? Decimal.toLogical(schema, parser.getBinaryValue())
                        : parser.getDecimalValue(); // with the converter's decimal.format=NUMERIC
            default -> readVariableScale(parser);
        };
    }

    private static List<Object> readArray(JsonParser parser, Schema elements) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw new DataException("no array");
        }
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(read(parser, elements));
        }
        return values;
    }

    /** Debezium's form of a number in a column without a scale. */
    private static BigDecimal readVariableScale(JsonParser parser) throws IOException {
        int scale = 0;
        byte[] unscaled = {};
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isScale = parser.currentName().equals("scale");
            parser.nextToken();
            if (isScale) {
                scale = parser.getIntValue();
            } else {
                unscaled = parser.getBinaryValue();
            }
        }
        return new BigDecimal(new BigInteger(unscaled), scale);
    }
}
