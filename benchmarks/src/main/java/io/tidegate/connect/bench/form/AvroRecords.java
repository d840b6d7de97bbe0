package io.tidegate.connect.bench.form;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * JSON objects as Avro with one schema, that of the first: every field can be null, and numbers are doubles. Not
 * thread-safe.
 */
final class AvroRecords {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_NULL = 1;

    private final Schema schema;
    private final GenericDatumWriter<Object> writer;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);

    private AvroRecords(Schema schema) {
        this.schema = schema;
        this.writer = new GenericDatumWriter<>(schema);
    }

    static AvroRecords like(byte[] json) {
        return new AvroRecords(schema("Reading", parse(json)));
    }

    /** A field that is null in the first record is a number in others, or always null. */
    private static Schema schema(String name, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> {
                List<Schema.Field> fields = new ArrayList<>();
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    Schema type = schema(name + "_" + field.getKey(), field.getValue());
                    Schema orNull = Schema.createUnion(Schema.create(Schema.Type.NULL), type);
                    fields.add(new Schema.Field(field.getKey(), orNull, null, Schema.Field.NULL_DEFAULT_VALUE));
                }
                yield Schema.createRecord(name, null, "tidegate", false, fields);
            }
            case STRING -> Schema.create(Schema.Type.STRING);
            case NUMBER, NULL -> Schema.create(Schema.Type.DOUBLE);
            case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
            default -> throw new IllegalArgumentException("the field " + name + " has no simple form in Avro");
        };
    }

    String schema() {
        return schema.toString();
    }

    /** Encodes an object as Apicurio's serializer does: byte 0, the schema's id in 8 bytes, Avro. */
    byte[] encode(long id, byte[] json) {
        out.reset();
        try {
            writer.write(datum(schema, parse(json)), encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        byte[] frame =
                ByteBuffer.allocate(1 + Long.BYTES).put((byte) 0).putLong(id).array();
        return ValueForms.behind(frame, out.toByteArray());
    }

    private static Object datum(Schema schema, JsonNode value) {
        return switch (schema.getType()) {
            case RECORD -> {
                GenericData.Record datum = new GenericData.Record(schema);
                value.properties().stream()
                        .filter(field -> !field.getValue().isNull())
                        .forEach(field ->
                                datum.put(field.getKey(), datum(typeOf(schema, field.getKey()), field.getValue())));
                yield datum;
            }
            case STRING -> value.textValue();
            case DOUBLE -> value.doubleValue();
            default -> value.booleanValue();
        };
    }

    private static Schema typeOf(Schema schema, String name) {
        Schema.Field field = schema.getField(name);
        if (field == null) {
            throw new IllegalArgumentException("it has the field " + name);
        }
        return field.schema().getTypes().get(NOT_NULL);
    }

    private static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
