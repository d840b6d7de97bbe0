package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.value.ByteSlice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Makes a plan of a schema. The JSON is that of the registries' converters followed by {@link
 * io.tidegate.connect.common.document.JsonEncoder}. Their rules: {@code AvroData.toConnectSchema} of Apicurio and
 * Confluent. One use for one schema, by one thread.
 */
final class PlanCompiler {
    private static final Schema NULL = Schema.create(Type.NULL);
    private static final String CONVERTERS = "io.confluent.connect.avro.";

    private final FieldDefaults defaults;
    private final Map<String, RecordPlan> records = new HashMap<>(); // by full name, which is unique within a schema

    private PlanCompiler(FieldDefaults defaults) {
        this.defaults = requireNonNull(defaults, "defaults");
    }

    /**
     * The plan of a schema.
     *
     * @throws UnfitException when its values have no JSON form
     */
    static Plan compile(Schema schema, FieldDefaults defaults) {
        return new PlanCompiler(defaults).planOf(schema);
    }

    private Plan planOf(Schema schema) {
        return switch (schema.getType()) {
            case BOOLEAN -> (in, out) -> out.truth(in.readBoolean());
            case INT -> ofInt(schema);
            case LONG ->
                LogicalKind.of(schema) == LogicalKind.TIMESTAMP
                        ? TimePlans::timestamp
                        : (in, out) -> out.number(in.readLong());
            case FLOAT -> (in, out) -> out.number(in.readFloat());
            case DOUBLE -> (in, out) -> out.number(in.readDouble());
            case STRING -> PlanCompiler::text;
            case BYTES -> ofBytes(schema);
            case FIXED -> ofFixed(schema);
            case ENUM -> ofEnum(schema);
            case ARRAY -> ofArray(schema);
            case MAP -> ofMap(planOf(schema.getValueType()), PlanCompiler::text);
            case RECORD -> ofRecord(schema);
            case UNION -> ofUnion(schema);
            case NULL -> throw new UnfitException("it has the type null outside of a union");
        };
    }

    private static void text(AvroInput in, JsonOutput out) {
        int length = in.readLength();
        int from = in.skip(length);
        out.text(in.array(), from, from + length);
    }

    private static Plan ofInt(Schema schema) {
        LogicalKind kind = LogicalKind.of(schema);
        if (kind == LogicalKind.DATE) {
            return TimePlans::date;
        }
        if (kind == LogicalKind.TIME) {
            return TimePlans::time;
        }
        String width = schema.getProp("logicalType") == null ? schema.getProp("connect.type") : null;
        if ("int8".equals(width)) {
            return (in, out) -> out.number((byte) in.readInt());
        }
        if ("int16".equals(width)) {
            return (in, out) -> out.number((short) in.readInt());
        }
        return (in, out) -> out.number(in.readInt());
    }

    private static Plan ofBytes(Schema schema) {
        if (LogicalKind.of(schema) == LogicalKind.DECIMAL) {
            int scale = LogicalKind.scaleOf(schema);
            return (in, out) -> {
                int length = in.readLength();
                int from = in.skip(length);
                out.decimal(in.array(), from, from + length, scale);
            };
        }
        return (in, out) -> {
            int length = in.readLength();
            int from = in.skip(length);
            out.base64(in.array(), from, from + length);
        };
    }

    private static Plan ofFixed(Schema schema) {
        int length = schema.getFixedSize();
        if (LogicalKind.of(schema) == LogicalKind.DECIMAL) {
            int scale = LogicalKind.scaleOf(schema);
            return (in, out) -> {
                int from = in.skip(length);
                out.decimal(in.array(), from, from + length, scale);
            };
        }
        return (in, out) -> {
            int from = in.skip(length);
            out.base64(in.array(), from, from + length);
        };
    }

    private static Plan ofEnum(Schema schema) {
        byte[][] symbols = new byte[schema.getEnumSymbols().size()][];
        JsonOutput quoted = new JsonOutput();
        for (int i = 0; i < symbols.length; i++) {
            quoted.reset();
            quoted.text(schema.getEnumSymbols().get(i));
            symbols[i] = quoted.document().bytes();
        }
        return (in, out) -> out.raw(symbols[in.readIndex(symbols.length, "a symbol")]);
    }

    private Plan ofArray(Schema schema) {
        Schema element = schema.getElementType();
        if (isMapEntry(element)) {
            return ofEntries(element);
        }
        return ofBlocks('[', planOf(element), ']');
    }

    /** A map as an object. Its order is that of the bytes; keys that occur twice stay. */
    private static Plan ofMap(Plan plan, Plan keys) {
        return ofBlocks(
                '{',
                (in, out) -> {
                    keys.write(in, out);
                    out.raw(':');
                    plan.write(in, out);
                },
                '}');
    }

    private static Plan ofBlocks(char open, Plan element, char close) {
        return (in, out) -> {
            out.open(open);
            boolean isFirst = true;
            for (long count = in.readBlockCount(); count > 0; count = in.readBlockCount()) {
                for (long i = 0; i < count; i++) {
                    if (!isFirst) {
                        out.raw(',');
                    }
                    isFirst = false;
                    element.write(in, out);
                }
            }
            out.close(close);
        };
    }

    /** Connect's converters write a map whose keys are not plain strings as an array of such records. */
    private static boolean isMapEntry(Schema element) {
        return element.getType() == Type.RECORD
                && (element.getFullName().equals(CONVERTERS + "MapEntry")
                        || "MapEntry".equals(element.getProp("connect.internal.type")));
    }

    private Plan ofEntries(Schema entry) {
        List<Field> fields = entry.getFields();
        if (fields.size() != 2
                || !fields.get(0).name().equals("key")
                || !fields.get(1).name().equals("value")) {
            throw new UnfitException(entry.getFullName() + " is no entry of a map: it needs a key and a value");
        }
        Schema key = fields.get(0).schema();
        Plan plan = planOf(key);
        Plan values = planOf(fields.get(1).schema());
        JsonOutput text = new JsonOutput();
        return ofMap(values, (in, out) -> {
            text.reset();
            plan.write(in, text);
            byte[] json = text.document().bytes();
            if (json[0] == '"') {
                out.raw(json);
            } else if (json[0] == '{' || json[0] == '[' || json[0] == 'n') {
                throw new UnfitException("a map has a key that cannot name a JSON field");
            } else {
                out.text(json, 0, json.length);
            }
        });
    }

    private Plan ofRecord(Schema schema) {
        if (schema.getFullName().equals(CONVERTERS + "Anything")) {
            throw new UnfitException(
                    "it is Connect's own schema of values without a schema, which needs the converter");
        }
        RecordPlan known = records.get(schema.getFullName());
        if (known != null) {
            return known;
        }
        RecordPlan plan = new RecordPlan();
        records.put(schema.getFullName(), plan);
        List<String> names = new ArrayList<>();
        List<Plan> values = new ArrayList<>();
        for (Field field : schema.getFields()) {
            names.add(field.name());
            values.add(ofField(field));
        }
        plan.setFields(names, values);
        return plan;
    }

    private Plan ofField(Field field) {
        Plan plan = planOf(field.schema());
        boolean isReplaced = defaults == FieldDefaults.APPLIED
                && field.schema().isNullable()
                && field.schema().isUnion()
                && field.hasDefaultValue();
        return isReplaced ? withDefault(plan, field) : plan;
    }

    private static Plan withDefault(Plan plan, Field field) {
        AvroInput in = new AvroInput();
        JsonOutput out = new JsonOutput();
        in.reset(ByteSlice.of(defaultOf(field)));
        plan.write(in, out);
        byte[] json = out.document().bytes();
        return (from, to) -> {
            int start = to.length();
            plan.write(from, to);
            if (to.isNullSince(start)) {
                to.cutTo(start);
                to.raw(json);
            }
        };
    }

    private static byte[] defaultOf(Field field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            Object value = GenericData.get().getDefaultValue(field);
            new GenericDatumWriter<>(field.schema()).write(value, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        } catch (AvroRuntimeException e) {
            throw new UnfitException("the default of the field " + field.name() + " does not fit its type");
        }
        return bytes.toByteArray();
    }

    private Plan ofUnion(Schema schema) {
        List<Schema> types = schema.getTypes();
        if (types.size() == 2 && types.contains(NULL)) {
            int nullBranch = types.indexOf(NULL);
            Plan other = planOf(types.get(1 - nullBranch));
            return (in, out) -> {
                if (in.readIndex(2, "a union's branch") == nullBranch) {
                    out.nothing();
                } else {
                    other.write(in, out);
                }
            };
        }
        List<String> names = new ArrayList<>();
        List<Plan> plans = new ArrayList<>();
        List<Boolean> isNull = new ArrayList<>();
        Set<String> distinct = new HashSet<>();
        for (Schema type : types) {
            isNull.add(type.getType() == Type.NULL);
            names.add(type.getName()); // without the namespace, as converters do
            plans.add(type.getType() == Type.NULL ? (in, out) -> out.nothing() : planOf(type));
            if (!distinct.add(type.getName())) {
                throw new UnfitException("a union has two types of the name " + type.getName());
            }
        }
        return new UnionPlan(names, plans, isNull);
    }
}
