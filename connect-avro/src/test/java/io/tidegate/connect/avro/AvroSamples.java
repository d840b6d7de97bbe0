package io.tidegate.connect.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.Utf8;

/** Random schemas and values. A seed always gives the same ones. */
final class AvroSamples {
    private static final int DEEPEST = 3;
    private static final String[] TEXTS = {
        "",
        "a",
        "ä€",
        "\uD83D\uDE00",
        "\"quoted\\\"",
        "\b\t\n\f\r\u0000\u001f\u007f/",
        "null",
        "\u2028",
        "x".repeat(5_000)
    };

    private final Random random;
    private final List<Schema> open = new ArrayList<>(); // records around the type that is being made
    private int names;

    AvroSamples(long seed) {
        this.random = new Random(seed);
    }

    /** A record, as the values of nearly all topics are. */
    Schema schema() {
        return record(0);
    }

    private Schema record(int depth) {
        Schema record = Schema.createRecord("R" + names++, null, "tide." + (char) ('a' + random.nextInt(3)), false);
        open.add(record);
        List<Field> fields = new ArrayList<>();
        int size = depth == 0 ? 1 + random.nextInt(6) : random.nextInt(4);
        for (int i = 0; i < size; i++) {
            fields.add(new Field("f" + i, type(depth + 1)));
        }
        open.remove(record);
        record.setFields(fields);
        return record;
    }

    private Schema type(int depth) {
        int kinds = depth < DEEPEST ? 8 : 2;
        return switch (random.nextInt(kinds)) {
            case 0, 1, 2 -> scalar();
            case 3 -> Schema.createArray(type(depth + 1));
            case 4 -> Schema.createMap(type(depth + 1));
            case 5 -> record(depth);
            case 6 -> nullable(random.nextInt(4) == 0 ? open.get(open.size() - 1) : notUnion(depth + 1));
            default -> union(depth + 1);
        };
    }

    private Schema notUnion(int depth) {
        Schema type = type(depth);
        return type.isUnion() ? scalar() : type;
    }

    private Schema nullable(Schema type) {
        Schema none = Schema.create(Type.NULL);
        return random.nextBoolean() ? Schema.createUnion(none, type) : Schema.createUnion(type, none);
    }

    /** Of types that the converter tells from one another: it takes fixed for bytes. */
    private Schema union(int depth) {
        Map<String, Schema> types = new HashMap<>();
        if (random.nextInt(3) == 0) {
            types.put("null", Schema.create(Type.NULL));
        }
        for (int i = 0; i < 4; i++) {
            Schema type = notUnion(depth);
            boolean isBytes = type.getType() == Type.BYTES || type.getType() == Type.FIXED;
            types.putIfAbsent(isBytes ? "bytes" : type.getName(), type);
        }
        return Schema.createUnion(List.copyOf(types.values()));
    }

    private Schema scalar() {
        return switch (random.nextInt(17)) {
            case 0 -> Schema.create(Type.BOOLEAN);
            case 1 -> Schema.create(Type.INT);
            case 2 -> Schema.create(Type.LONG);
            case 3 -> Schema.create(Type.FLOAT);
            case 4 -> Schema.create(Type.DOUBLE);
            case 5 -> Schema.create(Type.STRING);
            case 6 -> Schema.create(Type.BYTES);
            case 7 -> Schema.createFixed("F" + names++, null, "tide", random.nextInt(6));
            case 8 -> Schema.createEnum("E" + names++, null, "tide", List.of("FLOOD", "EBB", "_x1"));
            case 9 -> decimal();
            case 10 -> LogicalTypes.date().addToSchema(Schema.create(Type.INT));
            case 11 -> LogicalTypes.timeMillis().addToSchema(Schema.create(Type.INT));
            case 12 -> LogicalTypes.timeMicros().addToSchema(Schema.create(Type.LONG));
            case 13 -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Type.LONG));
            case 14 -> LogicalTypes.timestampMicros().addToSchema(Schema.create(Type.LONG));
            case 15 -> LogicalTypes.uuid().addToSchema(Schema.create(Type.STRING));
            default -> ofConnect();
        };
    }

    private Schema decimal() {
        Schema bytes = Schema.create(Type.BYTES);
        bytes.addProp("logicalType", "decimal");
        bytes.addProp("precision", (Object) 64);
        if (random.nextInt(4) > 0) {
            bytes.addProp("scale", (Object) (random.nextInt(30) - 3));
        }
        return bytes;
    }

    /** Types that Connect's own converters write. */
    private Schema ofConnect() {
        if (random.nextBoolean()) {
            Schema time = Schema.create(Type.LONG);
            time.addProp("connect.name", "org.apache.kafka.connect.data.Timestamp");
            time.addProp("logicalType", "timestamp-millis");
            return time;
        }
        Schema small = Schema.create(Type.INT);
        small.addProp("connect.type", random.nextBoolean() ? "int8" : "int16");
        return small;
    }

    Object value(Schema schema) {
        return value(schema, 0);
    }

    private Object value(Schema schema, int depth) {
        return switch (schema.getType()) {
            case NULL -> null;
            case BOOLEAN -> random.nextBoolean();
            case INT -> anInt(schema);
            case LONG -> aLong(schema);
            case FLOAT -> random.nextInt(50) == 0 ? Float.NaN : Float.intBitsToFloat(finiteBits());
            case DOUBLE -> random.nextInt(50) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian() * aScale();
            case STRING -> text();
            case BYTES ->
                ByteBuffer.wrap(schema.getProp("logicalType") == null ? bytes(random.nextInt(9)) : unscaled());
            case FIXED -> new GenericData.Fixed(schema, bytes(schema.getFixedSize()));
            case ENUM ->
                new GenericData.EnumSymbol(schema, schema.getEnumSymbols().get(random.nextInt(3)));
            case ARRAY -> listOf(sizeAt(depth), () -> value(schema.getElementType(), depth + 1));
            case MAP -> mapOf(sizeAt(depth), () -> value(schema.getValueType(), depth + 1));
            case RECORD -> record(schema, depth);
            case UNION -> branch(schema, depth);
        };
    }

    private int sizeAt(int depth) {
        return depth > 6 ? 0 : random.nextInt(4);
    }

    private Object anInt(Schema schema) {
        String logical = String.valueOf(schema.getProp("logicalType"));
        return switch (logical) {
            case "time-millis" -> random.nextInt(20) == 0 ? 86_400_000 + random.nextInt(2) : random.nextInt(86_400_000);
            case "date" -> random.nextInt(random.nextBoolean() ? 40_000 : 50_000_000) - 10_000;
            default -> random.nextInt() >> random.nextInt(32);
        };
    }

    private Object aLong(Schema schema) {
        return schema.getProp("logicalType") == null || random.nextInt(20) == 0
                ? random.nextLong() >> random.nextInt(64)
                : (Object) (1_420_070_760_000L + random.nextInt());
    }

    private int finiteBits() {
        int bits = random.nextInt();
        return Float.isFinite(Float.intBitsToFloat(bits)) ? bits : 0;
    }

    private double aScale() {
        return Math.pow(10, random.nextInt(40) - 20.0);
    }

    private Utf8 text() {
        if (random.nextInt(30) == 0) {
            return new Utf8(bytes(random.nextInt(12))); // probably not UTF-8
        }
        return new Utf8(
                TEXTS[random.nextInt(TEXTS.length - (random.nextInt(20) == 0 ? 0 : 1))] + random.nextInt(1_000));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] unscaled() {
        return random.nextInt(5) == 0
                ? new BigInteger(random.nextInt(400), random).negate().toByteArray()
                : BigInteger.valueOf(random.nextLong() >> random.nextInt(64)).toByteArray();
    }

    private static List<Object> listOf(int size, Supplier<Object> values) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(values.get());
        }
        return list;
    }

    private Map<CharSequence, Object> mapOf(int size, Supplier<Object> values) {
        Map<CharSequence, Object> map = new HashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(new Utf8(text().toString().getBytes(StandardCharsets.UTF_8)), values.get());
        }
        return map;
    }

    private Object record(Schema schema, int depth) {
        GenericData.Record record = new GenericData.Record(schema);
        for (Field field : schema.getFields()) {
            record.put(field.pos(), value(field.schema(), depth + 1));
        }
        return record;
    }

    private Object branch(Schema schema, int depth) {
        boolean ends = depth > 6 && schema.isNullable();
        return ends
                ? null
                : value(schema.getTypes().get(random.nextInt(schema.getTypes().size())), depth);
    }

    /** Avro's binary encoding of a value. */
    static byte[] encoded(Schema schema, Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        try {
            new GenericDatumWriter<>(schema).write(value, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
