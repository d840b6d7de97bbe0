package io.tidegate.connect.tools.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidegate.connect.tools.output.SecretNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds which values of two documents or rows differ: the first five of them, each cut to 80 characters. Pure. */
final class Differences {
    private static final int MOST = 5;
    private static final int MOST_CHARACTERS = 80;

    /** Characters of a column that the server sends. The path in a longer document is not looked for. */
    static final int MOST_OF_COLUMN = 10_000;

    /** Characters that are shown before the first one that differs. */
    private static final int BEFORE = 20;

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\w-]+");

    /** As 1.0 and 1.00 are one number for both servers. */
    private static final Comparator<JsonNode> SAME_NUMBERS = (a, b) -> {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        return a.equals(b) ? 0 : 1;
    };

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private final List<Difference> found = new ArrayList<>();

    private Differences() {}

    static boolean areSame(JsonNode expected, JsonNode stored) {
        return expected.equals(SAME_NUMBERS, stored);
    }

    /** The differences of two documents. */
    static List<Difference> ofDocuments(JsonNode expected, JsonNode stored) {
        Differences differences = new Differences();
        differences.compare("", Optional.of(expected), Optional.of(stored), false);
        return List.copyOf(differences.found);
    }

    /** The differences in an array of {@link ComparedColumns#differences}. */
    static List<Difference> ofColumns(String[] columns) {
        Differences differences = new Differences();
        for (int i = 0; i < columns.length; i += 3) {
            differences.compareColumn(
                    columns[i], Optional.ofNullable(columns[i + 1]), Optional.ofNullable(columns[i + 2]));
        }
        return List.copyOf(differences.found);
    }

    private void compareColumn(String column, Optional<String> expected, Optional<String> stored) {
        Optional<JsonNode> expectedJson = expected.flatMap(Differences::container);
        Optional<JsonNode> storedJson = stored.flatMap(Differences::container);
        int before = found.size();
        if (expectedJson.isPresent() && storedJson.isPresent()) {
            compare(column, expectedJson, storedJson, SecretNames.has(column));
        }
        if (found.size() == before) {
            add(
                    column,
                    expected.map(Differences::withoutSecrets),
                    stored.map(Differences::withoutSecrets),
                    SecretNames.has(column));
        }
    }

    private static Optional<JsonNode> container(String text) {
        try {
            return Optional.of(JSON.readTree(text)).filter(JsonNode::isContainerNode);
        } catch (JsonProcessingException e) {
            return Optional.empty(); // a text, or a document that is cut
        }
    }

    private void compare(String path, Optional<JsonNode> expected, Optional<JsonNode> stored, boolean isSecret) {
        if (found.size() == MOST) {
            return;
        }
        JsonNode one = expected.orElse(null);
        JsonNode other = stored.orElse(null);
        if (one != null && other != null && areSame(one, other)) {
            return;
        }
        if (one != null && other != null && one.isObject() && other.isObject()) {
            Set<String> names = new LinkedHashSet<>();
            one.fieldNames().forEachRemaining(names::add);
            other.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                compare(
                        path
                                + (PLAIN_NAME.matcher(name).matches()
                                        ? (path.isEmpty() ? "" : ".") + name
                                        : "[\"" + name + "\"]"),
                        Optional.ofNullable(one.get(name)),
                        Optional.ofNullable(other.get(name)),
                        isSecret || SecretNames.has(name));
            }
        } else if (one != null && other != null && one.isArray() && other.isArray()) {
            for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
                compare(
                        path + '[' + i + ']',
                        Optional.ofNullable(one.get(i)),
                        Optional.ofNullable(other.get(i)),
                        isSecret);
            }
        } else {
            add(
                    path,
                    expected.map(Differences::withoutSecrets).map(JsonNode::toString),
                    stored.map(Differences::withoutSecrets).map(JsonNode::toString),
                    isSecret);
        }
    }

    /** A copy in which fields that may be credentials are hidden. */
    private static JsonNode withoutSecrets(JsonNode node) {
        if (node.isObject()) {
            ObjectNode copy = JSON.createObjectNode();
            node.properties()
                    .forEach(field -> copy.set(
                            field.getKey(),
                            SecretNames.has(field.getKey())
                                    ? TextNode.valueOf(SecretNames.HIDDEN)
                                    : withoutSecrets(field.getValue())));
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = JSON.createArrayNode();
            node.forEach(element -> copy.add(withoutSecrets(element)));
            return copy;
        }
        return node;
    }

    /** The text of a column. A document that is cut cannot be read, so it is hidden if it names a credential. */
    private static String withoutSecrets(String text) {
        return container(text)
                .map(json -> withoutSecrets(json).equals(json)
                        ? text
                        : withoutSecrets(json).toString())
                .orElseGet(() -> (text.startsWith("{") || text.startsWith("[")) && SecretNames.has(text)
                        ? SecretNames.HIDDEN
                        : text);
    }

    private void add(String path, Optional<String> expected, Optional<String> stored, boolean isSecret) {
        if (found.size() == MOST) {
            return;
        }
        if (isSecret) {
            found.add(new Difference(
                    path, expected.map(text -> SecretNames.HIDDEN), stored.map(text -> SecretNames.HIDDEN)));
            return;
        }
        int from = Math.max(0, firstDifference(expected.orElse(""), stored.orElse("")) - BEFORE);
        found.add(new Difference(path, expected.map(text -> cut(text, from)), stored.map(text -> cut(text, from))));
    }

    private static int firstDifference(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            if (one.charAt(i) != other.charAt(i)) {
                return i;
            }
        }
        return length;
    }

    private static String cut(String text, int from) {
        if (text.length() <= MOST_CHARACTERS) {
            return text;
        }
        int begin = Math.min(from, text.length());
        int end = Math.min(text.length(), begin + MOST_CHARACTERS);
        return (begin > 0 ? "..." : "") + text.substring(begin, end) + (end < text.length() ? "..." : "");
    }
}
