package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.FieldReader;
import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.JsonPath.Element;
import io.tidegate.connect.common.value.JsonPath.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Reads values of {@code Struct}s, maps and lists directly, and gives each the text and JSON that it has in the encoded
 * document. One thread.
 */
final class ConnectFields {
    private final FieldDefaults defaults;
    private final JsonEncoder encoder;
    private final FieldReader only = new FieldReader(List.of(JsonPath.parse("$[0]")));

    ConnectFields(FieldDefaults defaults) {
        this.defaults = requireNonNull(defaults, "defaults");
        this.encoder = new JsonEncoder(defaults);
    }

    /** A value and its schema, which is {@code null} where Connect gives none. */
    private record Node(Schema schema, Object value) {}

    /**
     * The value at a path.
     *
     * @param schema the value's schema, or {@code null} as Connect gives it for schemaless values
     */
    FieldValue read(Schema schema, Object value, JsonPath path) {
        Optional<Node> node = Optional.of(new Node(schema, value));
        for (Step step : path.steps()) {
            node = node.flatMap(parent -> child(parent, step));
        }
        // In an array of one, because strings and bytes at the top would be taken for JSON.
        return node.map(found -> only.read(encoder.encodeInArray(found.schema(), found.value()))
                        .get(0))
                .orElse(FieldValue.MISSING);
    }

    private Optional<Node> child(Node parent, Step step) {
        Object value = parent.value();
        if (value instanceof List<?> list) {
            return step instanceof Element element && element.index() < list.size()
                    ? Optional.of(new Node(JsonEncoder.elementSchema(parent.schema()), list.get(element.index())))
                    : Optional.empty();
        }
        if (step instanceof Element) {
            return Optional.empty();
        }
        if (value instanceof Struct struct) {
            Field field = struct.schema().field(step.text());
            return field == null
                    ? Optional.empty()
                    : Optional.of(new Node(field.schema(), defaults.valueOf(struct, field)));
        }
        return value instanceof Map<?, ?> map ? entry(parent.schema(), map, step.text()) : Optional.empty();
    }

    /**
     * Keys of a map may be numbers, which become names in JSON. A sorted map must not be asked for a key that it cannot
     * compare.
     */
    private static Optional<Node> entry(Schema schema, Map<?, ?> map, String name) {
        return map.entrySet().stream()
                .filter(entry -> name.equals(String.valueOf(entry.getKey())))
                .findFirst()
                .map(entry -> new Node(JsonEncoder.elementSchema(schema), entry.getValue()));
    }
}
