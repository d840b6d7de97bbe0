package io.tidegate.connect.common.value;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;

/**
 * The value that a path found in a document. A missing value, a null and an empty string are three different things.
 */
public final class FieldValue {
    public static final FieldValue MISSING = new FieldValue(Kind.MISSING, "", ByteSlice.of(new byte[0]));

    private final Kind kind;
    private final String text; // of a string; other values take it from their JSON
    private final ByteSlice json; // shared with the document, not copied

    private FieldValue(Kind kind, String text, ByteSlice json) {
        this.kind = requireNonNull(kind, "kind");
        this.text = requireNonNull(text, "text");
        this.json = requireNonNull(json, "json");
    }

    /** The type of a value. */
    public enum Kind {
        /** There is no value at the path. */
        MISSING,
        NULL,
        STRING,
        NUMBER,
        BOOLEAN,
        OBJECT,
        ARRAY
    }

    static FieldValue string(String text, ByteSlice json) {
        return new FieldValue(Kind.STRING, text, json);
    }

    /** A value that is not a string; its text is its JSON. */
    static FieldValue of(Kind kind, ByteSlice json) {
        return new FieldValue(kind, "", json);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether there is a value and it is not null. */
    public boolean isPresent() {
        return kind != Kind.MISSING && kind != Kind.NULL;
    }

    /** Whether it is a string, a number or a boolean. */
    public boolean isScalar() {
        return kind == Kind.STRING || kind == Kind.NUMBER || kind == Kind.BOOLEAN;
    }

    /**
     * The content of a string; for other values the JSON in the document, for a number with all its digits.
     *
     * @throws IllegalStateException when it is missing or null
     */
    public String text() {
        if (!isPresent()) {
            throw new IllegalStateException("the value is " + kind);
        }
        return kind == Kind.STRING
                ? text
                : new String(json.array(), json.from(), json.length(), StandardCharsets.UTF_8);
    }

    /** The bytes of {@link #text()}, as {@link Utf8#encode} gives them. */
    public byte[] utf8() {
        return kind == Kind.STRING ? Utf8.encode(text) : json().bytes();
    }

    /**
     * The JSON of the value as written in the document, a part of its array: a string in its quotes, {@code null} as such.
     *
     * @throws IllegalStateException when it is missing
     */
    public ByteSlice json() {
        if (kind == Kind.MISSING) {
            throw new IllegalStateException("the value is missing");
        }
        return json;
    }

    /** Only the kind, because a record's content must not appear in a message. */
    @Override
    public String toString() {
        return kind.toString();
    }
}
