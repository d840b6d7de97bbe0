package io.tidegate.connect.common.document;

/** Well-formed UTF-8, by table 3-7 of the Unicode standard. */
public final class Utf8 {
    private Utf8() {}

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

    /** Whether a text has a form in UTF-8: half a surrogate pair has none. */
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

    /** The bytes of the character that starts here and is not ASCII, or 0 when it is not well-formed. */
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

    /** Neither an overlong form, nor a surrogate, nor beyond U+10FFFF. */
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
