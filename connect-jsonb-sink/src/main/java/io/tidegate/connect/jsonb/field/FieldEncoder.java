package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.DecimalText;
import io.tidegate.connect.common.value.JsonText;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.jsonb.row.WireType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Encodes a field's JSON as the server would after a cast of its text: the characters of a string, the JSON of anything
 * else. What is not in the usual form of a type is left to the server, which knows all forms and refuses the wrong ones.
 * One thread.
 */
final class FieldEncoder {
    private static final int UUID_LENGTH = 36;
    private static final int HEX = 16;
    private static final int HEX_DIGIT_BITS = 4;
    private static final int BYTEA_MARK = 3; // two backslashes, because JSON escapes one, and x

    private final DecimalText decimal = new DecimalText();
    private final TimeText time = new TimeText();
    private final VectorEncoder vector = new VectorEncoder();

    /**
     * Writes the binary form of a value that is not null.
     *
     * @param json has a checked value between the indexes
     * @return false if the server has to read the text; nothing is then written
     * @throws RefusedException if no text can hold the value
     */
    boolean encode(WireType wire, byte[] json, int from, int to, ByteArena out) {
        if (wire == WireType.JSON) {
            out.put(json, from, to);
            return true;
        }
        if (wire == WireType.TEXT) {
            putText(json, from, to, out);
            return true;
        }
        boolean isString = json[from] == '"';
        int start = isString ? from + 1 : from;
        int end = isString ? to - 1 : to;
        return switch (wire) {
            case BOOL -> putBoolean(json, start, end, out);
            case INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC -> decimal.read(json, start, end) && putNumber(wire, out);
            case UUID -> isString && putUuid(json, start, end, out);
            case DATE -> isString && time.readDate(json, start, end) && putDate(out);
            case TIME -> isString && time.readTime(json, start, end) && putTime(out);
            case TIMESTAMP -> isString && time.readTimestamp(json, start, end) && putTime(out);
            case TIMESTAMPTZ -> isString && time.readTimestampWithZone(json, start, end) && putTime(out);
            case BYTEA -> isString && putBytes(json, start, end, out);
            case VECTOR, HALFVEC -> vector.put(json, start, end, wire == WireType.HALFVEC, out);
            case JSON, TEXT -> throw new IllegalStateException(wire.name()); // see above
        };
    }

    /**
     * Writes the text of a value, as {@code ->>} gives it.
     *
     * @throws RefusedException if {@code text} cannot hold it
     */
    static void putText(byte[] json, int from, int to, ByteArena out) {
        if (json[from] != '"') {
            out.put(json, from, to);
        } else if (isWithoutEscape(json, from + 1, to - 1)) {
            out.put(json, from + 1, to - 1);
        } else {
            byte[] text = characters(ByteSlice.of(json, from, to)).getBytes(StandardCharsets.UTF_8);
            out.put(text, 0, text.length);
        }
    }

    /**
     * Writes the JSON that a string contains.
     *
     * @return false if it contains none; nothing is then written
     */
    static boolean putJsonOfText(byte[] json, int from, int to, UnstorableCharacters characters, ByteArena out) {
        if (json[from] != '"') {
            return false;
        }
        Optional<ByteSlice> text = jsonOf(JsonText.of(ByteSlice.of(json, from, to)), characters);
        text.ifPresent(found -> out.put(found.array(), found.from(), found.to()));
        return text.isPresent();
    }

    /** The JSON that a text is; empty if it is none. */
    static Optional<ByteSlice> jsonOf(String text, UnstorableCharacters characters) {
        ByteSlice json = characters.json(ByteSlice.of(Utf8.encode(text)));
        return JsonText.isJson(json) ? Optional.of(json) : Optional.empty();
    }

    private static boolean isWithoutEscape(byte[] json, int from, int to) {
        for (int i = from; i < to; i++) {
            if (json[i] == '\\') {
                return false;
            }
        }
        return true;
    }

    private static String characters(ByteSlice string) {
        requireStorable(string);
        return JsonText.of(string);
    }

    /**
     * Refuses JSON with characters that {@code text} cannot hold.
     *
     * @throws RefusedException if it has one
     */
    static void requireStorable(ByteSlice json) {
        int at = UnstorableCharacters.first(json, true);
        if (at < json.to()) {
            throw RefusedException.of(
                            "data",
                            "a field holds a character that text cannot, at byte " + (at - json.from()) + " of it")
                    .with("sqlstate", SqlState.UNTRANSLATABLE_CHARACTER);
        }
    }

    private static boolean putBoolean(byte[] json, int from, int to, ByteArena out) {
        boolean isTrue = is(json, from, to, "true");
        if (!isTrue && !is(json, from, to, "false")) {
            return false;
        }
        out.put((byte) (isTrue ? 1 : 0));
        return true;
    }

    private static boolean is(byte[] json, int from, int to, String ascii) {
        if (to - from != ascii.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (json[i] != ascii.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes the binary form of the JSON number that starts here, which need not be checked.
     *
     * @param limit the end of the text around it
     * @return the index after it; negative if nothing is written, because there is something else, or a rare number
     */
    int encodeNumber(WireType wire, byte[] json, int from, int limit, ByteArena out) {
        if (!wire.isOfNumbers()) {
            return -1;
        }
        int end = decimal.readJson(json, from, limit);
        return end >= 0 && putNumber(wire, out) ? end : -1;
    }

    private boolean putNumber(WireType wire, ByteArena out) {
        return switch (wire) {
            case INT2, INT4, INT8 -> decimal.isLong() && putInteger(wire, out);
            case FLOAT4 -> putFloat(out);
            case FLOAT8 -> putDouble(out);
            default -> putNumeric(out);
        };
    }

    private boolean putInteger(WireType wire, ByteArena out) {
        long value = decimal.asLong();
        switch (wire) {
            case INT2 -> {
                if (value != (short) value) {
                    return false;
                }
                out.putShort((int) value);
            }
            case INT4 -> {
                if (value != (int) value) {
                    return false;
                }
                out.putInt((int) value);
            }
            default -> out.putLong(value);
        }
        return true;
    }

    private boolean putFloat(ByteArena out) {
        float value = decimal.asFloat();
        if (Float.isNaN(value)) {
            return false;
        }
        out.putInt(Float.floatToIntBits(value));
        return true;
    }

    private boolean putDouble(ByteArena out) {
        double value = decimal.asDouble();
        if (Double.isNaN(value)) {
            return false;
        }
        out.putLong(Double.doubleToLongBits(value));
        return true;
    }

    private boolean putNumeric(ByteArena out) {
        NumericEncoder.put(decimal, out);
        return true;
    }

    private boolean putDate(ByteArena out) {
        out.putInt((int) time.value());
        return true;
    }

    private boolean putTime(ByteArena out) {
        out.putLong(time.value());
        return true;
    }

    private static boolean putUuid(byte[] json, int from, int to, ByteArena out) {
        if (to - from != UUID_LENGTH) {
            return false;
        }
        long half = 0;
        int digits = 0;
        int start = out.size();
        for (int i = from; i < to; i++) {
            int place = i - from;
            if (place == 8 || place == 13 || place == 18 || place == 23) { // 8-4-4-4-12 digits
                if (json[i] != '-') {
                    out.cut(start);
                    return false;
                }
                continue;
            }
            int digit = digit(json[i]);
            if (digit < 0) {
                out.cut(start);
                return false;
            }
            half = half << HEX_DIGIT_BITS | digit;
            digits++;
            if (digits % HEX == 0) {
                out.putLong(half);
            }
        }
        return true;
    }

    /**
     * Writes the bytes of a string in Base64 that this program made of them, see {@code JsonEncoder}.
     *
     * @param isText whether as PostgreSQL's hexadecimal text
     * @return false if it is no Base64, as after a transform that keeps a schema which is no longer right
     */
    static boolean putBase64(byte[] json, int from, int to, boolean isText, ByteArena out) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(Arrays.copyOfRange(json, from, to));
        } catch (IllegalArgumentException e) {
            return false;
        }
        byte[] sent = isText ? hexadecimal(bytes).getBytes(StandardCharsets.US_ASCII) : bytes;
        out.put(sent, 0, sent.length);
        return true;
    }

    /** Bytes as PostgreSQL's hexadecimal text. */
    static String hexadecimal(byte[] bytes) {
        return "\\x" + HexFormat.of().formatHex(bytes);
    }

    private static boolean putBytes(byte[] json, int from, int to, ByteArena out) {
        if (to - from < BYTEA_MARK || !is(json, from, from + BYTEA_MARK, "\\\\x") || (to - from) % 2 == 0) {
            return false;
        }
        int start = out.size();
        for (int i = from + BYTEA_MARK; i < to; i += 2) {
            int high = digit(json[i]);
            int low = digit(json[i + 1]);
            if (high < 0 || low < 0) {
                out.cut(start);
                return false;
            }
            out.put((byte) (high << HEX_DIGIT_BITS | low));
        }
        return true;
    }

    private static int digit(byte c) {
        return c < 0 ? -1 : Character.digit((char) c, HEX);
    }
}
