package io.tidegate.connect.common.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the tokens of JSON in UTF-8 (RFC 8259), and checks whole values. It copies nothing and never recurses. One thread;
 * it is used again for the next text.
 */
abstract class JsonScanner {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long ESCAPES = ONES * '\\';
    private static final long SPACES = ONES * ' ';

    /** The bytes that may follow a backslash, besides those of {@code \\u}. */
    private static final String ESCAPED = "\"\\/bfnrt";

    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;

    byte[] json = new byte[0];
    int at;
    int to;
    boolean hasEscape; // in the string that was skipped last
    boolean hasLineBreak; // in the white space so far
    private boolean checksStrings;
    private int base; // where the text starts, for messages
    private long[] isArray = new long[1]; // a bit for each open bracket

    /**
     * Goes to the start of a text.
     *
     * @param ofStrings whether to check what is in strings; otherwise only their ends are found
     */
    final void startAt(byte[] text, int from, int end, boolean ofStrings) {
        checksStrings = ofStrings;
        json = text;
        base = from;
        at = from;
        to = end;
        hasLineBreak = false;
    }

    /** The byte here; 0, which no JSON has outside strings, where the text ends. */
    final byte peek() {
        return at < to ? json[at] : 0;
    }

    /** The same behind white space, which it skips. */
    final byte afterSpace() {
        skipSpace();
        return peek();
    }

    final int skipSpace() {
        int i = at;
        while (i < to && isSpace(json[i])) {
            hasLineBreak |= json[i] == '\n' || json[i] == '\r';
            i++;
        }
        at = i;
        return i;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /** Whether the rest of the text begins with these bytes. */
    final boolean startsWith(byte[] expected) {
        int length = expected.length;
        if (to - at < length) {
            return false;
        }
        if (length < Long.BYTES) {
            return startsWithShort(expected);
        }
        int last = length - Long.BYTES; // the last eight bytes may overlap those before
        for (int i = 0; i < last; i += Long.BYTES) {
            if ((long) LONGS.get(json, at + i) != (long) LONGS.get(expected, i)) {
                return false;
            }
        }
        return (long) LONGS.get(json, at + last) == (long) LONGS.get(expected, last);
    }

    private boolean startsWithShort(byte[] expected) {
        int last = expected.length - Integer.BYTES;
        if (last >= 0) {
            return (int) INTS.get(json, at) == (int) INTS.get(expected, 0)
                    && (int) INTS.get(json, at + last) == (int) INTS.get(expected, last);
        }
        for (int i = 0; i < expected.length; i++) {
            if (json[at + i] != expected[i]) {
                return false;
            }
        }
        return true;
    }

    /** Skips this byte, or refuses the text. */
    final void require(char c, String name) {
        if (peek() != c) {
            throw expected(name);
        }
        at++;
    }

    /** Skips a string, number or word, which starts with this byte. */
    final void skipScalar(byte first) {
        switch (first) {
            case '"' -> {
                at++;
                skipString();
            }
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipWord(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= to || json[at + i] != word.charAt(i)) {
                throw expected("a value");
            }
        }
        at += word.length();
    }

    private void skipNumber() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            skipDigits("a value");
        }
        if (peek() == '.') {
            at++;
            skipDigits("a digit");
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            skipDigits("a digit");
        }
    }

    private void skipDigits(String name) {
        int i = at;
        while (i < to && json[i] >= '0' && json[i] <= '9') {
            i++;
        }
        if (i == at) {
            throw expected(name);
        }
        at = i;
    }

    /** From after the opening quote to after the closing one. */
    final void skipString() {
        hasEscape = false;
        if (checksStrings) {
            checkString();
        } else {
            findEndOfString();
        }
    }

    /** Eight bytes at a time. */
    private void findEndOfString() {
        byte[] bytes = json;
        int i = at;
        while (true) {
            while (i <= to - Long.BYTES) {
                long word = (long) LONGS.get(bytes, i);
                long found = (zeroBytes(word ^ QUOTES) | zeroBytes(word ^ ESCAPES)) & HIGH_BITS;
                if (found != 0) {
                    i += Long.numberOfTrailingZeros(found) / Byte.SIZE;
                    break;
                }
                i += Long.BYTES;
            }
            while (i < to && bytes[i] != '"' && bytes[i] != '\\') {
                i++;
            }
            if (i >= to) {
                throw endless();
            }
            if (bytes[i] == '"') {
                at = i + 1;
                return;
            }
            hasEscape = true;
            i += 2; // the escape and what it escapes
        }
    }

    private void checkString() {
        byte[] bytes = json;
        int i = afterPlainWords(bytes, at, to);
        while (i < to) {
            byte c = bytes[i];
            if (c >= ' ' && c != '"' && c != '\\') {
                i++;
            } else if (c == '"') {
                at = i + 1;
                return;
            } else {
                i = c == '\\' ? afterEscape(i) : afterCharacter(i);
            }
        }
        throw endless();
    }

    /** Skips ASCII without quotes, escapes and control characters, eight bytes at a time. */
    private static int afterPlainWords(byte[] bytes, int from, int to) {
        int i = from;
        while (i <= to - Long.BYTES) {
            long word = (long) LONGS.get(bytes, i);
            long unusual = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ ESCAPES) | ((word - SPACES) & ~word) | word;
            if ((unusual & HIGH_BITS) != 0) {
                return i + Long.numberOfTrailingZeros(unusual & HIGH_BITS) / Byte.SIZE;
            }
            i += Long.BYTES;
        }
        return i;
    }

    /** The high bit of each byte that is zero; bits above the lowest of them may be wrong. */
    private static long zeroBytes(long word) {
        return (word - ONES) & ~word;
    }

    private int afterEscape(int backslash) {
        hasEscape = true;
        int escaped = backslash + 1;
        if (escaped < to && ESCAPED.indexOf(json[escaped]) >= 0) {
            return escaped + 1;
        }
        at = escaped;
        require('u', "an escape");
        for (int i = 0; i < HEX_DIGITS; i++) {
            if (Character.digit((char) peek(), HEX) < 0) {
                throw expected("a hexadecimal digit");
            }
            at++;
        }
        return at;
    }

    private int afterCharacter(int from) {
        int length = Utf8.lengthOfCharacter(json, from, to);
        if (length == 0) {
            at = from;
            throw expected(json[from] < 0 ? "UTF-8" : "an escape instead of a control character");
        }
        return from + length;
    }

    private RefusedException endless() {
        at = to;
        return expected("the end of a string");
    }

    /**
     * Checks the value that starts here, and goes to its end.
     *
     * @param outer how many brackets are open around it
     * @param maxDepth most brackets that may be open at once
     */
    final void checkValue(int outer, int maxDepth) {
        int depth = outer;
        do {
            byte c = afterSpace();
            if (c != '{' && c != '[') {
                skipScalar(c);
            } else if (depth == maxDepth) {
                throw refused("it is nested deeper than " + maxDepth + " levels");
            } else {
                push(depth++, c == '[');
                at++;
                if (afterSpace() != c + 2) { // in ASCII } comes two after {, and ] two after [
                    if (c == '{') {
                        skipName();
                    }
                    continue;
                }
            }
            depth = depthOfNext(outer, depth);
        } while (depth > outer);
    }

    /** Skips the brackets that close here, and the comma and name before the next value. The brackets that stay open. */
    private int depthOfNext(int outer, int open) {
        int depth = open;
        while (depth > outer) {
            boolean ofArray = isArray(depth - 1);
            byte c = afterSpace();
            if (c == ',') {
                at++;
                if (!ofArray) {
                    skipName();
                }
                return depth;
            }
            if (c != (ofArray ? ']' : '}')) {
                throw expected(afterValue(ofArray));
            }
            at++;
            depth--;
        }
        return outer;
    }

    static String afterValue(boolean inArray) {
        return inArray ? "a comma or the end of an array" : "a comma or the end of an object";
    }

    private void skipName() {
        skipSpace();
        require('"', "a name");
        skipString();
        skipSpace();
        require(':', "a colon");
    }

    /** Notes a bracket that is opened at this depth. */
    final void push(int depth, boolean array) {
        long bit = 1L << depth; // modulo 64
        int word = depth / Long.SIZE;
        if (word == isArray.length) {
            isArray = Arrays.copyOf(isArray, 2 * word);
        }
        isArray[word] = array ? isArray[word] | bit : isArray[word] & ~bit;
    }

    /** Whether the bracket that was opened at this depth is one of an array. */
    final boolean isArray(int depth) {
        return (isArray[depth / Long.SIZE] & (1L << depth)) != 0;
    }

    /** The text has something else here. */
    final RefusedException expected(String name) {
        return refused("expected " + name);
    }

    private RefusedException refused(String fault) {
        return new RefusedException("the value is not valid JSON, at byte " + (at - base)
                + (at >= to ? ", where it ends: " : ": ") + fault);
    }
}
