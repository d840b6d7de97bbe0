package io.tidegate.connect.jsonb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A table's name, perhaps with its schema, as a template. Dots of the template part schema and table, unless they stand
 * in double quotes; dots in what is filled in do not. Every part is quoted in SQL, so no name from outside is ever
 * read as SQL.
 */
record TableName(List<String> parts) {
    TableName {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a template such as {@code readings}, {@code public.${topic}} or {@code "odd.name"}.
     *
     * @throws IllegalArgumentException when a part is empty, a quote is not closed, or there are more than two parts
     */
    static TableName parse(String template) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            if (c == '"' && quoted && i + 1 < template.length() && template.charAt(i + 1) == '"') {
                part.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        if (quoted) {
            throw new IllegalArgumentException("a double quote is not closed");
        }
        if (parts.size() > 2 || parts.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("a table's name is `table` or `schema.table`");
        }
        return new TableName(parts);
    }

    /** The name with {@code ${topic}} and the like filled in. */
    TableName with(Map<String, String> values) {
        return new TableName(parts.stream().map(part -> fill(part, values)).toList());
    }

    private static String fill(String part, Map<String, String> values) {
        String filled = part;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("${" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    /** As it stands in a statement. */
    String sql() {
        return parts.stream().map(TableName::quote).collect(Collectors.joining("."));
    }

    /** An identifier as it stands in a statement. */
    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
