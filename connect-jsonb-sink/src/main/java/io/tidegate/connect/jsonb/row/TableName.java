package io.tidegate.connect.jsonb.row;

import io.tidegate.connect.common.document.Template;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table's name, with or without its schema. Every part is quoted in SQL, so a name from outside is never read as SQL.
 *
 * @param parts one or two, not quoted
 */
public record TableName(List<String> parts) {
    /** PostgreSQL cuts longer names, so that two of them may become one: {@code NAMEDATALEN} - 1 in its sources. */
    static final int MAX_BYTES = 63;

    /**
     * A name of these parts.
     *
     * @throws IllegalArgumentException if a part is empty or too long, or if there are more than two parts
     */
    public TableName {
        parts = List.copyOf(parts);
        if (parts.size() > 2 || parts.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("a table's name is `table` or `schema.table`");
        }
        for (String part : parts) {
            if (part.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(part)) {
                throw new IllegalArgumentException("a table's name has neither a NUL nor half a character");
            }
            if (part.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "PostgreSQL takes names of up to " + MAX_BYTES + " bytes, and `" + part + "` is longer");
            }
        }
    }

    /** The name without the schema. */
    public String name() {
        return parts.get(parts.size() - 1);
    }

    /**
     * Reads a name such as {@code readings}, {@code public.readings} or {@code "odd.name"}.
     *
     * @throws IllegalArgumentException if a quote is not closed or the name is not valid
     */
    public static TableName parse(String text) {
        return new TableName(split(text));
    }

    /**
     * Reads templates of a name, such as {@code public.${topic}}. Dots in a filled-in text do not separate parts.
     *
     * @throws IllegalArgumentException with the reason
     */
    public static List<Template> templates(String text) {
        List<Template> templates = split(text).stream().map(Template::parse).toList();
        TableName unused =
                new TableName(templates.stream().map(part -> part.sample("t")).toList());
        return templates;
    }

    /** Splits at dots, except in double quotes and in a template's placeholder. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int end = Template.endOfPlace(text, i);
            if (end > i) {
                part.append(text, i, end);
                i = end - 1;
            } else if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
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
        return parts;
    }

    /** The name as written in a statement. */
    public String sql() {
        return parts.stream().map(TableName::quote).collect(Collectors.joining("."));
    }

    /** An identifier as written in a statement. */
    public static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
