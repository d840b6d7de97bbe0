package io.tidegate.connect.jsonb.row;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Handles characters that {@code text} or {@code jsonb} cannot store: NUL bytes, half surrogate pairs and bytes that
 * are not UTF-8, and in JSON also {@code \u0000} and half pairs that are escaped. It scans a text once. A text without
 * such characters is returned as the same object. Stateless.
 */
public enum UnstorableCharacters {
    /** Leaves them to the server, which refuses the record. */
    FAIL(""),
    /** Replaces each by U+FFFD, the replacement character. */
    REPLACE("\ufffd"),
    /** Removes each. */
    STRIP("");

    private static final int ESCAPE_BYTES = 6; // backslash, u, four digits
    private static final int HEX = 16;
    private static final int NO_UNIT = -1;

    private final String substitute;

    UnstorableCharacters(String substitute) {
        this.substitute = substitute;
    }

    /** What is sent for JSON. */
    public ByteSlice json(ByteSlice json) {
        return applied(json, true);
    }

    /** What is sent for a text that is not JSON. A backslash is then an ordinary character. */
    public byte[] text(byte[] text) {
        return applied(ByteSlice.of(text), false).bytes();
    }

    private ByteSlice applied(ByteSlice text, boolean isJson) {
        int first = this == FAIL ? text.to() : first(text, isJson);
        return first == text.to() ? text : ByteSlice.of(repaired(text, first, isJson));
    }

    /**
     * Where the first such character is.
     *
     * @param isJson whether escapes count
     * @return its index in the array of the text; the index after the text if there is none
     */
    public static int first(ByteSlice text, boolean isJson) {
        byte[] array = text.array();
        int at = text.from();
        while (at < text.to() && !isUnstorable(array, at, text.to(), isJson)) {
            at += length(array, at, text.to(), isJson);
        }
        return Math.min(at, text.to());
    }

    private byte[] repaired(ByteSlice text, int first, boolean isJson) {
        byte[] array = text.array();
        byte[] replacement = substitute.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        out.write(array, text.from(), first - text.from());
        int at = first;
        while (at < text.to()) {
            int length = length(array, at, text.to(), isJson);
            if (isUnstorable(array, at, text.to(), isJson)) {
                out.writeBytes(replacement);
            } else {
                out.write(array, at, length);
            }
            at += length;
        }
        return out.toByteArray();
    }

    private static boolean isUnstorable(byte[] text, int at, int to, boolean isJson) {
        byte b = text[at];
        if (b < 0) {
            return Utf8.lengthOfCharacter(text, at, to) == 0;
        }
        if (b != '\\' || !isJson) {
            return b == 0;
        }
        int unit = escapedUnit(text, at, to);
        boolean isSurrogate = unit >= Character.MIN_SURROGATE && unit <= Character.MAX_SURROGATE;
        return unit == 0 || (isSurrogate && !isPair(text, at, to, unit));
    }

    /**
     * Number of bytes of the next unit: a character, half a pair, or an escape with its whole pair. Other malformed
     * bytes are taken one by one.
     */
    private static int length(byte[] text, int at, int to, boolean isJson) {
        byte b = text[at];
        if (b < 0) {
            return Utf8.isHalf(text, at, to) ? Utf8.HALF_BYTES : Math.max(1, Utf8.lengthOfCharacter(text, at, to));
        }
        if (b != '\\' || !isJson) {
            return 1;
        }
        int unit = escapedUnit(text, at, to);
        if (unit == NO_UNIT) {
            return at + 1 < to && text[at + 1] > 0 ? 2 : 1;
        }
        return isPair(text, at, to, unit) ? 2 * ESCAPE_BYTES : ESCAPE_BYTES;
    }

    private static boolean isPair(byte[] text, int at, int to, int unit) {
        if (unit < Character.MIN_HIGH_SURROGATE || unit > Character.MAX_HIGH_SURROGATE) {
            return false;
        }
        int low = escapedUnit(text, at + ESCAPE_BYTES, to);
        return low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE;
    }

    /** The UTF-16 unit that is escaped here, or {@link #NO_UNIT}. */
    private static int escapedUnit(byte[] text, int at, int to) {
        if (at + ESCAPE_BYTES > to || text[at] != '\\' || text[at + 1] != 'u') {
            return NO_UNIT;
        }
        int unit = 0;
        for (int i = at + 2; i < at + ESCAPE_BYTES; i++) {
            int digit = text[i] < 0 ? NO_UNIT : Character.digit((char) text[i], HEX);
            if (digit < 0) {
                return NO_UNIT;
            }
            unit = unit * HEX + digit;
        }
        return unit;
    }
}
