package io.tidegate.connect.avro;

import io.tidegate.connect.common.document.JsonEncoder;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.apache.avro.Schema.Type;

/**
 * Makes a plan of a schema. The JSON is that of the registries' converters followed by {@link
 * io.tidegate.connect.common.document.JsonEncoder}. Their rules: {@code AvroData.toConnectSchema} of Apicurio and
 * Confluent. One use for one schema, by one thread.
 */
final class PlanCompiler {
    static final Schema NULL = Schema.create(Type.NULL);
    private static final String CONVERTERS = "io.confluent.connect.avro.";

    private final Map<String, RecordPlan> records = new HashMap<>(); // by full name, which is unique within a schema

    /** A record as an object. Its fields are set after plans that contain this one: a record may contain itself. */
    private static final class RecordPlan implements Plan {
        private byte[][] names = new byte[0][];
        private Plan[] values = new Plan[0];

        @Override
        public void write(AvroInput in, JsonOutput out) {
            out.open('{');
            for (int field = 0; field < values.length; field++) {
                out.raw(names[field]);
                values[field].write(in, out);
            }
            out.close('}');
        }
    }

    private PlanCompiler() {}

    /**
     * The plan of a schema.
     *
     * @throws UnfitException when its values have no JSON form
     */
    static Plan compile(Schema schema) {
        return new PlanCompiler().planOf(schema);
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
        return switch (widthOf(schema)) {
            case "int8" -> (in, out) -> out.number((byte) in.readInt());
            case "int16" -> (in, out) -> out.number((short) in.readInt());
            default -> (in, out) -> out.number(in.readInt());
        };
    }

    /** Connect's type of a plain {@code int}, if it is narrower; otherwise empty. */
    static String widthOf(Schema schema) {
        String width = schema.getProp("connect.type");
        return width == null || schema.getProp("logicalType") != null ? "" : width;
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
        byte[][] symbols = inJson(schema.getEnumSymbols(), "", "");
        return (in, out) -> out.raw(symbols[in.readIndex(symbols.length, "a symbol")]);
    }

    /** Each text as a string of JSON, with a separator before all but the first. */
    private static byte[][] inJson(List<String> texts, String separator, String end) {
        byte[][] all = new byte[texts.size()][];
        JsonOutput out = new JsonOutput();
        for (int i = 0; i < all.length; i++) {
            out.reset();
            out.raw(JsonOutput.ascii(i == 0 ? "" : separator));
            out.text(texts.get(i));
            out.raw(JsonOutput.ascii(end));
            all[i] = out.document().bytes();
        }
        return all;
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
    static boolean isMapEntry(Schema element) {
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

    /** Whether it is Debezium's form of a number in a column without a scale. */
    static boolean isVariableScale(Schema schema) {
        return schema.getType() == Type.RECORD
                && schema.getFullName().equals(JsonEncoder.VARIABLE_SCALE_DECIMAL)
                && schema.getFields().stream()
                        .map(field -> field.name() + " " + field.schema().getType())
                        .toList()
                        .equals(List.of("scale INT", "value BYTES"));
    }

    private static void variableScale(AvroInput in, JsonOutput out) {
        int scale = in.readInt();
        if (Math.abs((long) scale) > JsonOutput.MAX_SCALE) {
            throw new UnfitException(
                    "a decimal has the scale " + scale + "; at most " + JsonOutput.MAX_SCALE + " is written");
        }
        int length = in.readLength();
        int from = in.skip(length);
        out.decimal(in.array(), from, from + length, scale);
    }

    private Plan ofRecord(Schema schema) {
        if (schema.getFullName().equals(CONVERTERS + "Anything")) {
            throw new UnfitException(
                    "it is Connect's own schema of values without a schema, which needs the converter");
        }
        if (isVariableScale(schema)) {
            return PlanCompiler::variableScale;
        }
        RecordPlan known = records.get(schema.getFullName());
        if (known != null) {
            return known;
        }
        RecordPlan plan = new RecordPlan();
        records.put(schema.getFullName(), plan);
        plan.names = namesOf(schema.getFields().stream().map(Field::name).toList());
        plan.values =
                schema.getFields().stream().map(field -> planOf(field.schema())).toArray(Plan[]::new);
        return plan;
    }

    private static byte[][] namesOf(List<String> fields) {
        return inJson(fields, ",", ":");
    }

    /** Whether they are a type and null. */
    static boolean isNullable(List<Schema> union) {
        return union.size() == 2 && union.contains(NULL);
    }

    /**
     * A union of a type and null is like the type. Several types become an object with a field for each, of which one is
     * not null, as converters make a struct of it.
     */
    private Plan ofUnion(Schema schema) {
        List<Schema> types = schema.getTypes();
        int nullBranch = types.stream().map(Schema::getType).toList().indexOf(Type.NULL);
        if (isNullable(types)) {
            Plan other = planOf(types.get(1 - nullBranch));
            return (in, out) -> {
                if (in.readIndex(2, "a union's branch") == nullBranch) {
                    out.nothing();
                } else {
                    other.write(in, out);
                }
            };
        }
        List<Schema> fields =
                types.stream().filter(type -> type.getType() != Type.NULL).toList();
        List<String> names = fields.stream().map(Schema::getName).toList(); // without namespaces, as converters do
        names.stream()
                .filter(name -> Collections.frequency(names, name) > 1)
                .findFirst()
                .ifPresent(name -> {
                    throw new UnfitException("a union has two types of the name " + name);
                });
        byte[][] quoted = namesOf(names);
        Plan[] plans = fields.stream().map(this::planOf).toArray(Plan[]::new);
        return (in, out) -> {
            int branch = in.readIndex(types.size(), "a union's branch");
            if (branch == nullBranch) {
                out.nothing();
                return;
            }
            int chosen = nullBranch >= 0 && branch > nullBranch ? branch - 1 : branch;
            out.open('{');
            for (int field = 0; field < plans.length; field++) {
                out.raw(quoted[field]);
                if (field == chosen) {
                    plans[field].write(in, out);
                } else {
                    out.nothing();
                }
            }
            out.close('}');
        };
    }
}
