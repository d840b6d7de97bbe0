package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.JsonPath;
import java.util.ArrayList;
import java.util.List;

/** Parses a template. */
final class TemplateParser {
    private static final String OPENING = "${";

    private TemplateParser() {}

    static List<TemplatePart> parse(String text) {
        List<TemplatePart> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfPlace(text, at);
            if (end > at) {
                parts.add(place(text.substring(at + OPENING.length(), end - 1)));
            } else {
                int next = text.indexOf(OPENING, at);
                end = next < 0 ? text.length() : next;
                parts.add(new TemplatePart.Literal(text.substring(at, end)));
            }
            at = end;
        }
        return parts;
    }

    /** Braces in quotes belong to the place: date patterns and paths quote with {@code '}. */
    static int endOfPlace(String text, int at) {
        if (!text.startsWith(OPENING, at)) {
            return at;
        }
        boolean quoted = false;
        for (int i = at + OPENING.length(); i < text.length(); i++) {
            if (text.charAt(i) == '\'') {
                quoted = !quoted;
            } else if (text.charAt(i) == '}' && !quoted) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("`" + text.substring(at) + "` has no closing brace");
    }

    static boolean takesArgument(String kind) {
        return kind.equals("timestamp") || kind.equals("header") || kind.equals("field");
    }

    private static TemplatePart place(String inner) {
        int colon = inner.indexOf(':');
        String kind = colon < 0 ? inner : inner.substring(0, colon);
        String argument = colon < 0 ? "" : inner.substring(colon + 1);
        if (takesArgument(kind) == argument.isEmpty() || (colon >= 0 && argument.isEmpty())) {
            throw unknown(inner);
        }
        return switch (kind) {
            case "topic" -> new TemplatePart.OfTopic();
            case "key" -> new TemplatePart.OfKey();
            case "timestamp" -> new TemplatePart.OfTimestamp(new TimestampText(argument));
            case "header" -> new TemplatePart.OfHeader(argument);
            case "field" -> new TemplatePart.OfField(JsonPath.parse(argument));
            default -> group(inner);
        };
    }

    private static TemplatePart group(String name) {
        if (!name.matches("[0-9]{1,3}|[a-zA-Z][a-zA-Z0-9]*")) {
            throw unknown(name);
        }
        return new TemplatePart.OfGroup(name);
    }

    private static IllegalArgumentException unknown(String inner) {
        return new IllegalArgumentException("`${" + inner + "}` is none of ${topic}, ${timestamp:yyyy.MM.dd}, ${key},"
                + " ${header:name}, ${field:$.path}, or a group of the topic's regular expression such as ${1}");
    }
}
