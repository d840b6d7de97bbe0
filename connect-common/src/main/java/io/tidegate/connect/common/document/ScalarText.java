package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The text of a key, a header or a field, from which a name or an id is made. Pure. */
public final class ScalarText {
    private ScalarText() {}

    /**
     * A string, number, boolean or UTF-8 bytes as text.
     *
     * @param what names the value and its place, for the message
     * @param value may be null, as in Connect
     * @throws RefusedException when it is something else, or empty
     */
    public static String of(String what, Object value) {
        if (value instanceof byte[] bytes) {
            return nonEmpty(what, decoded(what, ByteBuffer.wrap(bytes)));
        }
        if (value instanceof ByteBuffer bytes) {
            return nonEmpty(what, decoded(what, bytes.duplicate()));
        }
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return nonEmpty(what, value.toString());
        }
        throw new RefusedException(what + " is "
                + (value == null ? "null" : "a " + value.getClass().getSimpleName())
                + ", and a string, a number or a boolean is needed");
    }

    /**
     * A field that is a string, number or boolean as text.
     *
     * @throws RefusedException when it is something else, or empty
     */
    public static String of(String what, FieldValue value) {
        if (!value.isScalar()) {
            throw new RefusedException(what + " is " + value.kind().name().toLowerCase(Locale.ROOT)
                    + ", and a string, a number or a boolean is needed");
        }
        return nonEmpty(what, value.text());
    }

    /**
     * A string, number, boolean or bytes as {@link Utf8#encode} gives them; bytes are not checked. Empty when it is
     * something else.
     *
     * @param value may be null, as in Connect
     */
    public static Optional<byte[]> bytesOf(Object value) {
        if (value instanceof byte[] bytes) {
            return Optional.of(bytes);
        }
        if (value instanceof ByteBuffer bytes) { // Avro's converter returns these
            return Optional.of(JsonEncoder.copyOf(bytes));
        }
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? Optional.of(Utf8.encode(value.toString()))
                : Optional.empty();
    }

    private static String nonEmpty(String what, String text) {
        if (text.isEmpty()) {
            throw new RefusedException(what + " is empty");
        }
        return text;
    }

    private static String decoded(String what, ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new RefusedException(what + " is not UTF-8", e);
        }
    }
}
