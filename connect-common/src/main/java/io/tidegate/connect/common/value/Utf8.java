package io.tidegate.connect.common.value;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Well-formed UTF-8, by table 3-7 of the Unicode standard. */
public final class Utf8 {
    /** Bytes of half a surrogate pair, which are not well-formed. */
    public static final int HALF_BYTES = 3;

    private static final int FIRST_OF_HALF = 0xed;

    private Utf8() {}

    /**
     * The text in UTF-8. Half a surrogate pair has no UTF-8 form. It becomes three bytes that are not well-formed, so a
     * check of the bytes finds it. No other text has the same bytes.
     */
    public static byte[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8); // with a question mark for each half
        return isWellFormed(text) ? bytes : encodeWithHalves(text);
    }

    private static byte[] encodeWithHalves(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + HALF_BYTES);
        text.codePoints().forEach(c -> {
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                out.write(FIRST_OF_HALF);
                out.write(0x80 | ((c >> 6) & 0x3f));
                out.write(0x80 | (c & 0x3f));
            } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return out.toByteArray();
    }

    /** Whether half a surrogate pair starts here, as {@link #encode} writes it in {@link #HALF_BYTES}. */
    public static boolean isHalf(byte[] bytes, int at, int to) {
        return at + HALF_BYTES <= to
                && (bytes[at] & 0xff) == FIRST_OF_HALF
                && (bytes[at + 1] & 0xff) >= 0xa0
                && (bytes[at + 1] & 0xff) <= 0xbf
                && (bytes[at + 2] & 0xc0) == 0x80;
    }

    /** Whether all of these bytes are well-formed. */
    public static boolean isWellFormed(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int length = bytes[at] >= 0 ? 1 : lengthOfCharacter(bytes, at, bytes.length);
            if (length == 0) {
                return false;
            }
            at += length;
        }
        return true;
    }

    /** Whether a text has a UTF-8 form: half a surrogate pair has none. */
    public static boolean isWellFormed(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (Character.isSurrogate(c)) {
                at++;
                if (at == text.length() || !Character.isSurrogatePair(c, text.charAt(at))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The length in bytes of the non-ASCII character that starts here, or 0 when it is not well-formed. */
    public static int lengthOfCharacter(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xff;
        int length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > to || !isSecond(first, bytes[at + 1] & 0xff)) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Whether the second byte is allowed: the character must not be overlong, a surrogate, or beyond U+10FFFF. */
    private static boolean isSecond(int first, int second) {
        return switch (first) {
            case 0xe0 -> second >= 0xa0 && second <= 0xbf;
            case 0xed -> second >= 0x80 && second <= 0x9f;
            case 0xf0 -> second >= 0x90 && second <= 0xbf;
            case 0xf4 -> second >= 0x80 && second <= 0x8f;
            default -> second >= 0x80 && second <= 0xbf;
        };
    }
}
