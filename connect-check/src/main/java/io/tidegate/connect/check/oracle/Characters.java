package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidegate.connect.check.oracle.Promises.Unstorable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** What becomes of NUL and of half a surrogate pair in the texts of a document. */
record Characters(Unstorable rule) {
    /** The bytes as text; bytes that are not UTF-8 are unstorable as well. */
    Optional<String> decoded(ByteBuffer bytes) {
        if (rule != Unstorable.REPLACED && rule != Unstorable.STRIPPED) {
            return LoggedRecord.utf8(bytes);
        }
        String text = StandardCharsets.UTF_8.decode(bytes.duplicate()).toString(); // with U+FFFD for what is not UTF-8
        return Optional.of(rule == Unstorable.REPLACED ? text : text.replace("\uFFFD", ""));
    }

    /** The text as it is stored, or empty if it is refused. */
    Optional<String> storable(String text) {
        if (rule == Unstorable.STORED) {
            return Optional.of(text);
        }
        StringBuilder stored = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                stored.append(c).append(text.charAt(++i));
            } else if (c != 0 && !Character.isSurrogate(c)) {
                stored.append(c);
            } else if (rule == Unstorable.REFUSED) {
                return Optional.empty();
            } else if (rule == Unstorable.REPLACED) {
                stored.append('\uFFFD');
            }
        }
        return Optional.of(stored.toString());
    }

    /** The document as it is stored, or empty if it is refused. */
    Optional<JsonNode> storable(JsonNode node) {
        if (node.isTextual()) {
            return storable(node.asText()).map(TextNode::new);
        }
        if (node.isArray()) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : node) {
                Optional<JsonNode> stored = storable(item);
                if (stored.isEmpty()) {
                    return Optional.empty();
                }
                items.add(stored.get());
            }
            return Optional.of(items);
        }
        if (node.isObject()) {
            ObjectNode members = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                Optional<String> name = storable(member.getKey());
                Optional<JsonNode> stored = storable(member.getValue());
                if (name.isEmpty() || stored.isEmpty()) {
                    return Optional.empty();
                }
                members.set(name.get(), stored.get());
            }
            return Optional.of(members);
        }
        return Optional.of(node);
    }
}
