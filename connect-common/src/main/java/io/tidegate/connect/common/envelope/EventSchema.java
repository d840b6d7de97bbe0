package io.tidegate.connect.common.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.Utf8;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * What the schemas in events or keys say about columns, in the form of Kafka's JSON converter. It remembers the last schema
 * of each topic, because converters repeat it in every record. One thread.
 */
final class EventSchema {
    /** Most topics whose schemas are remembered. */
    private static final int MAX_TOPICS = 1_000;

    /** No column is deeper than an array of arrays in a part of an event. */
    private static final int MAX_DEPTH = 10;

    private final String part;
    private final Map<String, Known> schemas = new HashMap<>();

    /**
     * A reader of schemas.
     *
     * @param part the field that has the columns, or empty if they are the schema's own fields
     */
    EventSchema(String part) {
        this.part = part;
    }

    /** What a record without a schema has. */
    static final Row NO_ROW = new Row(List.of(), Optional.empty());

    /**
     * What a schema says about columns.
     *
     * @param columns those whose JSON is not their value
     * @param schema a struct with the types of all columns. Types with parts are not told apart, but for arrays
     */
    record Row(List<Column> columns, Optional<Schema> schema) {}

    /** A schema as it is written in records, and what it says. */
    private record Known(ByteSlice json, Row row) {}

    /** What counts of a schema, or of the schema of a field in it. */
    private static final class Node {
        String field = "";
        String type = "";
        String name = "";
        String scale = "0";
        List<Node> fields = List.of();
        Optional<Node> items = Optional.empty();
    }

    /**
     * Skips the schema that is the cursor's current value, and returns what it says.
     *
     * @throws io.tidegate.connect.common.value.RefusedException when it is not JSON
     */
    Row row(String topic, JsonCursor cursor) {
        Known known = schemas.get(topic);
        if (known != null && cursor.skipIf(known.json())) {
            return known.row();
        }
        ByteSlice json = cursor.take();
        Row row = rowIn(json);
        if (schemas.size() >= MAX_TOPICS) {
            schemas.clear();
        }
        byte[] copy = new byte[json.length()]; // without the rest of the record
        System.arraycopy(json.array(), json.from(), copy, 0, copy.length);
        schemas.put(topic, new Known(ByteSlice.of(copy), row));
        return row;
    }

    private Row rowIn(ByteSlice schema) {
        try (JsonParser parser = JsonText.FACTORY.createParser(schema.array(), schema.from(), schema.length())) {
            Node root = parser.nextToken() == JsonToken.START_OBJECT ? read(parser, 0) : new Node();
            List<Column> columns = new ArrayList<>();
            List<Node> fields = part.isEmpty()
                    ? root.fields
                    : root.fields.stream()
                            .filter(node -> node.field.equals(part))
                            .flatMap(node -> node.fields.stream())
                            .toList();
            fields.forEach(node -> schemaOf(node)
                    .ifPresent(encoded -> columns.add(new Column(ByteSlice.of(Utf8.encode(node.field)), encoded))));
            return new Row(List.copyOf(columns), Optional.of(struct(fields)));
        } catch (JsonProcessingException | NumberFormatException e) {
            throw NotAnEvent.because("its `schema` is not valid JSON"); // Jackson's message quotes it
        } catch (IOException e) {
            throw new UncheckedIOException(e); // bytes in memory do not fail
        }
    }

    private static Node read(JsonParser parser, int depth) throws IOException {
        Node node = new Node();
        if (depth > MAX_DEPTH) {
            parser.skipChildren();
            return node;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_STRING && field.equals("type")) {
                node.type = parser.getText();
            } else if (token == JsonToken.VALUE_STRING && field.equals("name")) {
                node.name = parser.getText();
            } else if (token == JsonToken.VALUE_STRING && field.equals("field")) {
                node.field = parser.getText();
            } else if (token == JsonToken.VALUE_STRING && field.equals(Decimal.SCALE_FIELD)) {
                node.scale = parser.getText();
            } else if (token == JsonToken.START_OBJECT && field.equals("parameters")) {
                node.scale = read(parser, depth + 1).scale;
            } else if (token == JsonToken.START_OBJECT && field.equals("items")) {
                node.items = Optional.of(read(parser, depth + 1));
            } else if (token == JsonToken.START_ARRAY && field.equals("fields")) {
                node.fields = new ArrayList<>();
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    node.fields.add(read(parser, depth + 1));
                }
            } else {
                parser.skipChildren();
            }
        }
        return node;
    }

    private static Schema struct(List<Node> fields) {
        SchemaBuilder struct = SchemaBuilder.struct();
        for (Node node : fields) {
            if (!node.field.isEmpty() && struct.field(node.field) == null) {
                typeOf(node).ifPresent(type -> struct.field(node.field, type));
            }
        }
        return struct.build();
    }

    private static Optional<Schema> typeOf(Node node) {
        SchemaBuilder type =
                switch (node.type) {
                    case "boolean" -> SchemaBuilder.bool();
                    case "int8" -> SchemaBuilder.int8();
                    case "int16" -> SchemaBuilder.int16();
                    case "int32" -> SchemaBuilder.int32();
                    case "int64" -> SchemaBuilder.int64();
                    case "float", "float32" -> SchemaBuilder.float32();
                    case "double", "float64" -> SchemaBuilder.float64();
                    case "string" -> SchemaBuilder.string();
                    case "bytes" -> SchemaBuilder.bytes();
                    case "array" ->
                        node.items
                                .flatMap(EventSchema::typeOf)
                                .map(SchemaBuilder::array)
                                .orElseGet(SchemaBuilder::struct);
                    case "map", "struct" -> SchemaBuilder.struct();
                    default -> null;
                };
        return Optional.ofNullable(type).map(each -> (node.name.isEmpty() ? each : each.name(node.name)).build());
    }

    /** The schema of a column whose JSON is not its value. JSON in arrays stays text. */
    private static Optional<Schema> schemaOf(Node node) {
        Optional<Schema> items = node.items.flatMap(EventSchema::schemaOf);
        if (items.isPresent()) {
            return items.filter(elements -> !Column.isJson(elements))
                    .map(elements -> SchemaBuilder.array(elements).build());
        }
        return Column.schemaOf(node.name, node.scale);
    }
}
