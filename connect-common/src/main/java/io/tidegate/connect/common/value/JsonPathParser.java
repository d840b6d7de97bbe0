package io.tidegate.connect.common.value;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.JsonPath.Element;
import io.tidegate.connect.common.value.JsonPath.Field;
import io.tidegate.connect.common.value.JsonPath.Step;
import java.util.ArrayList;
import java.util.List;

/** Reads one path from left to right; used once. */
final class JsonPathParser {
    /** No server accepts a deeper document: PostgreSQL and Elasticsearch stop long before. */
    static final int MAX_STEPS = 100;

    /** Most digits of an element's index, so that it fits an {@code int}. */
    private static final int MAX_DIGITS = 9;

    private final String text;
    private final List<Step> steps = new ArrayList<>();
    private int at;

    JsonPathParser(String text) {
        this.text = requireNonNull(text, "text").trim();
    }

    /** Whether a character is allowed in a name without quotes. */
    static boolean isPlain(int c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '@' || c == ':' || c == '/';
    }

    List<Step> steps() {
        if (text.startsWith("$")) {
            at = 1;
        } else {
            add(plainName());
        }
        while (at < text.length()) {
            add(step());
        }
        if (steps.isEmpty()) {
            throw wrong("it names no field");
        }
        return steps;
    }

    private void add(Step step) {
        if (steps.size() == MAX_STEPS) {
            throw wrong("it has more than " + MAX_STEPS + " steps");
        }
        steps.add(step);
    }

    private Step step() {
        char c = text.charAt(at++);
        if (c == '.') {
            return plainName();
        }
        if (c != '[') {
            throw wrong("`.` or `[` is expected at character " + at + ", not `" + c + "`");
        }
        Step step = isAt('\'') || isAt('"') ? quotedName() : element();
        if (!isAt(']')) {
            throw wrong("`]` is missing at character " + (at + 1));
        }
        at++;
        return step;
    }

    private boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private Field plainName() {
        int from = at;
        while (at < text.length() && isPlain(text.charAt(at))) {
            at++;
        }
        if (at == from) {
            throw wrong("a name is expected at character " + (at + 1)
                    + "; other characters than letters, digits and _ - @ : / stand in quotes, as in $['odd name']");
        }
        return new Field(text.substring(from, at));
    }

    private Field quotedName() {
        char quote = text.charAt(at++);
        StringBuilder name = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            name.append(text.charAt(at++));
        }
        if (at == text.length()) {
            throw wrong("the quote " + quote + " is not closed");
        }
        at++;
        return new Field(name.toString());
    }

    private Element element() {
        int from = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == from || at - from > MAX_DIGITS) {
            throw wrong("brackets hold an element's index from 0, or a name in quotes, at character " + (from + 1));
        }
        return new Element(Integer.parseInt(text.substring(from, at)));
    }

    private IllegalArgumentException wrong(String reason) {
        return new IllegalArgumentException("`" + text + "` is not a path: " + reason);
    }
}
