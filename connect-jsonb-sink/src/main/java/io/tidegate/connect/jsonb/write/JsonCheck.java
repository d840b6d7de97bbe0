package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.ValueSettings;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Checks one text as PostgreSQL does: the encoding, JSON (RFC 8259), and what {@code jsonb} cannot store. It is never
 * stricter than the server, which also limits depth and numbers. It uses no recursion, so depth needs no stack.
 * Sources: PostgreSQL documentation, "JSON Types", and {@code jsonapi.c}.
 */
public final class JsonCheck {

    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;

    private final byte[] text;
    private final int from;
    private final int to;
    private final boolean isJsonb;
    private final BitSet objects = new BitSet(); // which of the open containers are objects
    private int depth;
    private int at;

    private JsonCheck(ByteSlice text, boolean isJsonb) {
        this.text = text.array();
        this.from = text.from();
        this.to = text.to();
        this.at = from;
        this.isJsonb = isJsonb;
    }

    /**
     * Checks what every text type requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    static void text(ByteSlice text) {
        byte[] array = text.array();
        int at = text.from();
        while (at < text.to()) {
            int length = array[at] > 0 ? 1 : array[at] == 0 ? 0 : Utf8.lengthOfCharacter(array, at, text.to());
            if (length == 0) {
                String fault = array[at] == 0 ? "holds a NUL" : "is not UTF-8";
                throw unstorable(SqlState.NOT_IN_REPERTOIRE, fault, at - text.from());
            }
            at += length;
        }
    }

    /**
     * Checks what {@code json} requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    static void json(ByteSlice text) {
        text(text);
        new JsonCheck(text, false).document();
    }

    /**
     * Checks what {@code jsonb} requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    public static void jsonb(ByteSlice text) {
        text(text);
        new JsonCheck(text, true).document();
    }

    private static RefusedException refused(String state, String fault, int at) {
        return RefusedException.of("data", "the text " + fault + ", at byte " + at)
                .with("sqlstate", state);
    }

    private static RefusedException unstorable(String state, String fault, int at) {
        return refused(
                state,
                fault + ", which " + ValueSettings.UNSTORABLE_CHARACTERS + "=replace or strip would take out",
                at);
    }

    private RefusedException notJson(String expected) {
        return refused(
                SqlState.INVALID_TEXT,
                "is not JSON: " + (at < to ? "" : "it ends before ") + expected + (at < to ? " should stand" : ""),
                at - from);
    }

    private void document() {
        boolean due = true;
        while (due) {
            due = opensContainer() || isFollowed();
        }
        skipWhiteSpace();
        if (at < to) {
            throw notJson("its end");
        }
    }

    /** Reads a value or the start of a container. Returns whether the container's first value must be read next. */
    private boolean opensContainer() {
        skipWhiteSpace();
        switch (peek()) {
            case '{' -> {
                return open(true, '}');
            }
            case '[' -> {
                return open(false, ']');
            }
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
        return false;
    }

    private boolean open(boolean isObject, char end) {
        at++;
        skipWhiteSpace();
        if (peek() == end) {
            at++;
            return false;
        }
        objects.set(depth++, isObject);
        if (isObject) {
            name();
        }
        return true;
    }

    /**
     * Reads what follows a value, and closes the containers that end here. Returns whether another value must be read.
     */
    private boolean isFollowed() {
        while (depth > 0) {
            skipWhiteSpace();
            boolean inObject = objects.get(depth - 1);
            int next = peek();
            if (next == ',') {
                at++;
                if (inObject) {
                    name();
                }
                return true;
            }
            if (next != (inObject ? '}' : ']')) {
                throw notJson(inObject ? "a comma or the end of an object" : "a comma or the end of an array");
            }
            at++;
            depth--;
        }
        return false;
    }

    private void name() {
        skipWhiteSpace();
        if (peek() != '"') {
            throw notJson("a name");
        }
        string();
        skipWhiteSpace();
        if (peek() != ':') {
            throw notJson("a colon");
        }
        at++;
    }

    private void string() {
        at++;
        while (peek() != '"') {
            if (peek() == '\\') {
                escape();
            } else if (at < to && (text[at] < 0 || text[at] >= ' ')) {
                at++;
            } else {
                throw notJson("the end of a string");
            }
        }
        at++;
    }

    private void escape() {
        at++;
        if (peek() != 'u') {
            if (peek() < 0 || "\"\\/bfnrt".indexOf(peek()) < 0) {
                throw notJson("an escape");
            }
            at++;
            return;
        }
        int start = at - 1;
        int unit = unit();
        if (!isJsonb) {
            return; // kept as it is written
        }
        if (unit == 0) {
            throw unstorable(SqlState.UNTRANSLATABLE_CHARACTER, "holds \\u0000, and jsonb cannot", start - from);
        }
        boolean isPair = Character.isHighSurrogate((char) unit)
                && startsWith("\\u")
                && Character.isLowSurrogate((char) lowUnit());
        if (!isPair && Character.isSurrogate((char) unit)) {
            throw unstorable(SqlState.INVALID_TEXT, "holds half a surrogate pair, and jsonb cannot", start - from);
        }
    }

    private int lowUnit() {
        at++;
        return unit();
    }

    /** Reads the four digits after {@code u}. */
    private int unit() {
        at++;
        int unit = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
            int digit = peek() < 0 ? -1 : Character.digit((char) peek(), HEX);
            if (digit < 0) {
                throw notJson("a hexadecimal digit");
            }
            unit = unit * HEX + digit;
            at++;
        }
        return unit;
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits("a value");
        }
        if (peek() == '.') {
            at++;
            digits("a digit");
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits("a digit");
        }
    }

    private void digits(String expected) {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == start) {
            throw notJson(expected);
        }
    }

    private void word(String word) {
        if (!startsWith(word)) {
            throw notJson("a value");
        }
        at += word.length();
    }

    private boolean startsWith(String ascii) {
        byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
        if (to - at < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (text[at + i] != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private void skipWhiteSpace() {
        while (at < to && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) {
            at++;
        }
    }

    /** The next byte. It is negative at the end of the text and inside a character that is not ASCII. */
    private int peek() {
        return at < to ? text[at] : -1;
    }
}
