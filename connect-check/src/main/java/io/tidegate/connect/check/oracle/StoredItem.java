package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import java.util.Optional;

/**
 * A row or document.
 *
 * @param destination the table or index
 * @param id what identifies it, if something does
 * @param document its JSON
 * @param coordinates {@code topic-partition@offset}, if the store has them
 * @param sequence where it was written among the others of its destination, if the store knows
 */
public record StoredItem(
        String destination,
        Optional<String> id,
        JsonNode document,
        Optional<String> coordinates,
        Optional<Long> sequence) {
    public StoredItem {
        Objects.requireNonNull(destination, "destination");
        Objects.requireNonNull(document, "document");
    }

    /** A document without the first-level fields that are null: in a column, these are like missing ones. */
    public static JsonNode withoutNulls(JsonNode document) {
        if (!(document instanceof ObjectNode object)) {
            return document;
        }
        ObjectNode rest = object.deepCopy();
        object.properties().stream()
                .filter(field -> field.getValue().isNull())
                .forEach(field -> rest.remove(field.getKey()));
        return rest;
    }

    @Override
    public String toString() {
        return "%s%s%s %s"
                .formatted(
                        destination,
                        id.map(text -> " id " + Texts.shortened(text)).orElse(""),
                        coordinates.map(text -> " of " + text).orElse(""),
                        Texts.shortened(document.toString()));
    }
}
