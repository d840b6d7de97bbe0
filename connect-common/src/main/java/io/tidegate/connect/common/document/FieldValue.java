package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The value that a path found in a document. A missing value, a null and an empty string are three different things.
 */
public final class FieldValue {
    static final FieldValue MISSING = new FieldValue(Kind.MISSING, "", new byte[0], 0, 0);

    private final Kind kind;
    private final String text; // of a string; other values take it from the source
    private final byte[] source; // shared with the document, not copied
    private final int from;
    private final int to;

    private FieldValue(Kind kind, String text, byte[] source, int from, int to) {
        this.kind = requireNonNull(kind, "kind");
        this.text = requireNonNull(text, "text");
        this.source = requireNonNull(source, "source");
        this.from = from;
        this.to = to;
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

    static FieldValue string(String text, byte[] source, int from, int to) {
        return new FieldValue(Kind.STRING, text, source, from, to);
    }

    /** A value that is not a string; its text is its JSON. */
    static FieldValue of(Kind kind, byte[] source, int from, int to) {
        return new FieldValue(kind, "", source, from, to);
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
        return kind == Kind.STRING ? text : new String(source, from, to - from, StandardCharsets.UTF_8);
    }

    /** The bytes of {@link #text()}, as {@link Utf8#encode} gives them. */
    public byte[] utf8() {
        return kind == Kind.STRING ? Utf8.encode(text) : json();
    }

    /**
     * The JSON of the value as written in the document: a string in its quotes, {@code null} as such.
     *
     * @throws IllegalStateException when it is missing
     */
    public byte[] json() {
        if (kind == Kind.MISSING) {
            throw new IllegalStateException("the value is missing");
        }
        return Arrays.copyOfRange(source, from, to);
    }

    /** The index in the document's JSON where the value starts. */
    public int from() {
        return from;
    }

    /** The index in the document's JSON just after the value. */
    public int to() {
        return to;
    }

    /** Only the kind, because a record's content must not appear in a message. */
    @Override
    public String toString() {
        return kind.toString();
    }
}
