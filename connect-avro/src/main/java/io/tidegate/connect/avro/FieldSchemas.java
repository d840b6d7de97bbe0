package io.tidegate.connect.avro;

import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema.Type;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/**
 * Connect's types for the fields of a record, as the registries' converters give them. It stops at the fields of a field,
 * which are the columns of a change event; what is deeper is a struct without fields, and so are maps and unions of
 * several types.
 */
final class FieldSchemas {
    private static final int DEPTH = 2;

    /** Types whose values Connect may give a meaning by a name, such as a time that Debezium counts. */
    private static final Set<Type> NAMED = Set.of(Type.STRING, Type.INT, Type.LONG);

    private static final Schema PARTS = SchemaBuilder.struct().build();

    private FieldSchemas() {}

    /** The types of a record's fields; empty if the schema is no record's. */
    static Optional<Schema> of(org.apache.avro.Schema schema) {
        org.apache.avro.Schema plain = withoutNull(schema);
        return plain.getType() == Type.RECORD ? Optional.of(of(plain, DEPTH)) : Optional.empty();
    }

    private static org.apache.avro.Schema withoutNull(org.apache.avro.Schema schema) {
        return schema.getType() == Type.UNION && PlanCompiler.isNullable(schema.getTypes())
                ? schema.getTypes().get(schema.getTypes().indexOf(PlanCompiler.NULL) == 0 ? 1 : 0)
                : schema;
    }

    private static Schema of(org.apache.avro.Schema schema, int depth) {
        org.apache.avro.Schema plain = withoutNull(schema);
        return switch (LogicalKind.of(plain)) {
            case DECIMAL -> Decimal.schema(LogicalKind.scaleOf(plain));
            case DATE -> Date.SCHEMA;
            case TIME -> Time.SCHEMA;
            case TIMESTAMP -> Timestamp.SCHEMA;
            case NONE -> ofPlain(plain, depth);
        };
    }

    private static Schema ofPlain(org.apache.avro.Schema schema, int depth) {
        if (PlanCompiler.isVariableScale(schema)) {
            return SchemaBuilder.struct().name(schema.getFullName()).build();
        }
        SchemaBuilder type =
                switch (schema.getType()) {
                    case BOOLEAN -> SchemaBuilder.bool();
                    case INT -> ofInt(schema);
                    case LONG -> SchemaBuilder.int64();
                    case FLOAT -> SchemaBuilder.float32();
                    case DOUBLE -> SchemaBuilder.float64();
                    case STRING, ENUM -> SchemaBuilder.string();
                    case BYTES, FIXED -> SchemaBuilder.bytes();
                    case RECORD -> ofRecord(schema, depth);
                    case ARRAY -> ofArray(schema.getElementType());
                    case MAP, UNION, NULL -> null;
                };
        if (type == null) {
            return PARTS;
        }
        boolean isNamed = NAMED.contains(schema.getType()) && schema.getProp("connect.name") != null;
        return (isNamed ? type.name(schema.getProp("connect.name")) : type).build();
    }

    /** Null for a map, which has keys that are no strings. */
    private static SchemaBuilder ofArray(org.apache.avro.Schema element) {
        return PlanCompiler.isMapEntry(element) ? null : SchemaBuilder.array(of(element, 0));
    }

    private static SchemaBuilder ofInt(org.apache.avro.Schema schema) {
        return switch (PlanCompiler.widthOf(schema)) {
            case "int8" -> SchemaBuilder.int8();
            case "int16" -> SchemaBuilder.int16();
            default -> SchemaBuilder.int32();
        };
    }

    private static SchemaBuilder ofRecord(org.apache.avro.Schema schema, int depth) {
        SchemaBuilder struct = SchemaBuilder.struct();
        if (depth > 0) {
            schema.getFields().forEach(field -> struct.field(field.name(), of(field.schema(), depth - 1)));
        }
        return struct;
    }
}
