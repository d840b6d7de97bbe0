package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.document.JsonEncoder;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/**
 * The types of columns for fields: by the record's schema if it has one, otherwise by the JSON. Source of the names of
 * Debezium's types: its documentation, "Data type mappings".
 */
public final class FieldTypes {
    private static final String TEXT = "text";
    private static final String BYTES = "bytea";
    private static final String ANY = "jsonb";
    private static final String NUMERIC = "numeric";
    private static final String JSON_TEXT = "io.debezium.data.Json";

    private static final Map<String, String> BY_NAME = Map.of(
            Date.LOGICAL_NAME,
            "date",
            Time.LOGICAL_NAME,
            "time",
            Timestamp.LOGICAL_NAME,
            "timestamptz",
            Decimal.LOGICAL_NAME,
            NUMERIC,
            JsonEncoder.VARIABLE_SCALE_DECIMAL,
            NUMERIC,
            JSON_TEXT,
            ANY,
            "io.debezium.data.Uuid",
            "uuid",
            "io.debezium.time.ZonedTimestamp",
            "timestamptz",
            "io.debezium.time.ZonedTime",
            "timetz");

    /** Numbers, each of which takes those before it. */
    private static final List<List<String>> NUMBERS =
            List.of(List.of("smallint", "integer", "bigint", NUMERIC), List.of("real", "double precision", NUMERIC));

    private FieldTypes() {}

    /**
     * The type for a field of a record with a schema.
     *
     * @param ofValue the schema of the whole value, a struct
     * @return empty if the schema does not have the field
     */
    static Optional<String> of(Optional<Schema> ofValue, String name) {
        return schema(ofValue, name).map(FieldTypes::of);
    }

    /** Whether the field's JSON is a string in Base64 that stands for bytes. */
    public static boolean isBytes(Optional<Schema> ofValue, String name) {
        return schema(ofValue, name).map(FieldTypes::of).filter(BYTES::equals).isPresent();
    }

    /** Whether the field's JSON is a string that contains JSON. */
    static boolean isJsonText(Optional<Schema> ofValue, String name) {
        return schema(ofValue, name)
                .filter(schema -> JSON_TEXT.equals(schema.name()))
                .isPresent();
    }

    /** Whether the field's JSON is an array, of any depth, of strings that contain JSON. */
    static boolean isArrayOfJsonTexts(Optional<Schema> ofValue, String name) {
        return element(schema(ofValue, name))
                .filter(schema -> JSON_TEXT.equals(schema.name()))
                .isPresent();
    }

    /** What the number counts that is the field's JSON, or that each element of its array is. */
    static Optional<TimeCount> count(Optional<Schema> ofValue, String name) {
        return element(schema(ofValue, name)).flatMap(TimeCount::of);
    }

    /**
     * Bytes in Base64 as PostgreSQL writes them, so that a column of bytes takes them as they are. Text that is no Base64
     * stays as it is: the value does not have the type of its schema.
     */
    public static String hexadecimal(String base64) {
        try {
            return FieldEncoder.hexadecimal(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            return base64;
        }
    }

    /** Whether the field's JSON is an array, of any depth, of such strings. */
    static boolean isArrayOfBytes(Optional<Schema> ofValue, String name) {
        return element(schema(ofValue, name))
                .map(FieldTypes::of)
                .filter(BYTES::equals)
                .isPresent();
    }

    /** What is in arrays of any depth; the schema itself if it is of no array. */
    private static Optional<Schema> element(Optional<Schema> schema) {
        Optional<Schema> element = schema;
        while (element.isPresent() && element.get().type() == Schema.Type.ARRAY) {
            element = element.map(Schema::valueSchema);
        }
        return element;
    }

    private static Optional<Schema> schema(Optional<Schema> ofValue, String name) {
        return ofValue.map(schema -> schema.field(name)).map(Field::schema);
    }

    private static String of(Schema schema) {
        String named = schema.name() == null ? null : BY_NAME.get(schema.name());
        if (named != null) {
            return named;
        }
        Optional<TimeCount> count = TimeCount.of(schema);
        if (count.isPresent()) {
            return count.get().type();
        }
        return switch (schema.type()) {
            case BOOLEAN -> "boolean";
            case INT8, INT16 -> "smallint";
            case INT32 -> "integer";
            case INT64 -> "bigint";
            case FLOAT32 -> "real";
            case FLOAT64 -> "double precision";
            case STRING -> TEXT;
            case BYTES -> BYTES;
            default -> ANY;
        };
    }

    /**
     * The type for a field without a schema.
     *
     * @param first byte of its value, which is not null
     */
    static String ofJson(byte first) {
        return switch (first) {
            case 't', 'f' -> "boolean";
            case '"' -> TEXT;
            case '{', '[' -> ANY;
            default -> NUMERIC;
        };
    }

    /** A type that takes the values of both. */
    static String common(String one, String other) {
        if (one.equals(other)) {
            return one;
        }
        for (List<String> numbers : NUMBERS) {
            if (numbers.contains(one) && numbers.contains(other)) {
                return numbers.get(Math.max(numbers.indexOf(one), numbers.indexOf(other)));
            }
        }
        if (isNumber(one) && isNumber(other)) {
            return NUMERIC;
        }
        return one.equals(ANY) || other.equals(ANY) ? ANY : TEXT;
    }

    private static boolean isNumber(String type) {
        return NUMBERS.stream().anyMatch(numbers -> numbers.contains(type));
    }
}
