package io.tidegate.connect.elasticsearch.bulk;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.common.value.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Makes sure that a value is one line of a bulk request: one JSON object by RFC 8259. Its line breaks can only be white
 * space between tokens, and become spaces. Elasticsearch rejects a whole request for some faults, so none of them may
 * reach it. One lane's thread uses it.
 */
final class JsonLine {
    /** The depth at which Elasticsearch's own parser stops with an error. */
    static final int MAX_DEPTH = 1_000;

    // The class of a byte outside strings; 0 is a byte that JSON does not allow there.
    private static final byte SPACE = 1;
    private static final byte LINE_BREAK = 2;
    private static final byte QUOTE = 3;
    private static final byte SCALAR = 4;
    private static final byte OPEN = 5;
    private static final byte CLOSE = 6;
    private static final byte COMMA = 7;
    private static final byte COLON = 8;

    private static final byte[] OUTSIDE = outside();

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long ESCAPES = ONES * '\\';
    private static final long SPACES = ONES * ' ';

    /** The bytes that may follow a backslash, besides those of {@code \\u}. */
    private static final String ESCAPED = "\"\\/bfnrt";

    private static final int HEX_DIGITS = 4;
    private static final int HEX = 16;

    /** What may come next. */
    private enum Due {
        VALUE,
        /** A value or the end of the array. */
        FIRST_VALUE,
        NAME,
        /** A name or the end of the object. */
        FIRST_NAME,
        COLON,
        /** A comma, or the end of the object or array. */
        NEXT
    }

    private final TopLevelNames names;
    private final byte[] closers = new byte[MAX_DEPTH];
    private int depth;
    private int opened;
    private Due due = Due.VALUE;

    /**
     * A line whose names at the top are looked at.
     *
     * @param names sees each of them
     */
    JsonLine(TopLevelNames names) {
        this.names = requireNonNull(names, "names");
    }

    private static byte[] outside() {
        byte[] classes = new byte[256];
        "-0123456789tfn".chars().forEach(c -> classes[c] = SCALAR);
        classes[' '] = SPACE;
        classes['\t'] = SPACE;
        classes['\n'] = LINE_BREAK;
        classes['\r'] = LINE_BREAK;
        classes['"'] = QUOTE;
        classes['{'] = OPEN;
        classes['['] = OPEN;
        classes['}'] = CLOSE;
        classes[']'] = CLOSE;
        classes[','] = COMMA;
        classes[':'] = COLON;
        return classes;
    }

    /**
     * Checks the value in the buffer and replaces its line breaks.
     *
     * @throws RefusedException when it is not one JSON object; the content of the buffer is then undefined
     */
    void makeSafe(byte[] buffer, int from, int to) {
        int at = afterWhiteSpace(buffer, from, to);
        if (at == to || buffer[at] != '{') {
            throw new RefusedException("the value is not a JSON object: it does not start with `{`");
        }
        names.clear();
        opened = at + 1;
        int end = afterWhiteSpace(buffer, endOfObject(buffer, from, at, to), to);
        if (end != to) {
            throw refused("something follows its end", end - from);
        }
    }

    /** The index just behind the opening brace of the object. */
    int opened() {
        return opened;
    }

    private static int afterWhiteSpace(byte[] buffer, int from, int to) {
        int at = from;
        while (at < to && (buffer[at] == ' ' || buffer[at] == '\t' || buffer[at] == '\n' || buffer[at] == '\r')) {
            if (buffer[at] != '\t') {
                buffer[at] = ' ';
            }
            at++;
        }
        return at;
    }

    private int endOfObject(byte[] buffer, int start, int from, int to) {
        depth = 0;
        due = Due.VALUE;
        int at = from;
        while (at < to) {
            byte b = buffer[at];
            switch (OUTSIDE[b & 0xff]) {
                case SPACE -> at++;
                case LINE_BREAK -> buffer[at++] = ' ';
                case QUOTE -> {
                    due = dueAfterString(at - start);
                    int end = endOfString(buffer, start, at + 1, to);
                    if (depth == 1 && due == Due.COLON) {
                        names.see(buffer, at + 1, end - 1);
                    }
                    at = end;
                }
                case SCALAR -> {
                    requireValue(at - start);
                    at = endOfScalar(buffer, start, at, to);
                    due = Due.NEXT;
                }
                case OPEN -> open(b, at++ - start);
                case CLOSE -> {
                    close(b, at++ - start);
                    if (depth == 0) {
                        return at;
                    }
                }
                case COMMA, COLON -> separate(b, at++ - start);
                default ->
                    throw refused("it holds a character outside strings that JSON does not allow there", at - start);
            }
        }
        throw refused("it ends before its brackets are closed", to - start);
    }

    private Due dueAfterString(int at) {
        if (due == Due.NAME || due == Due.FIRST_NAME) {
            return Due.COLON;
        }
        requireValue(at);
        return Due.NEXT;
    }

    private void requireValue(int at) {
        if (due != Due.VALUE && due != Due.FIRST_VALUE) {
            throw misplaced(at);
        }
    }

    private void open(byte bracket, int at) {
        requireValue(at);
        if (depth == MAX_DEPTH) {
            throw refused("it is nested deeper than " + MAX_DEPTH + " levels", at);
        }
        closers[depth++] = (byte) (bracket + 2); // in ASCII } comes two after {, and ] two after [
        due = bracket == '{' ? Due.FIRST_NAME : Due.FIRST_VALUE;
    }

    private void close(byte bracket, int at) {
        if (closers[--depth] != bracket) {
            throw refused("its brackets do not match", at);
        }
        if (due != Due.NEXT && due != Due.FIRST_NAME && due != Due.FIRST_VALUE) {
            throw misplaced(at);
        }
        due = Due.NEXT;
    }

    private void separate(byte separator, int at) {
        if (due != (separator == ',' ? Due.NEXT : Due.COLON)) {
            throw misplaced(at);
        }
        due = separator == ',' && closers[depth - 1] == '}' ? Due.NAME : Due.VALUE;
    }

    private static int endOfScalar(byte[] buffer, int start, int at, int to) {
        return switch (buffer[at]) {
            case 't' -> endOfWord("true", buffer, start, at, to);
            case 'f' -> endOfWord("false", buffer, start, at, to);
            case 'n' -> endOfWord("null", buffer, start, at, to);
            default -> endOfNumber(buffer, start, at, to);
        };
    }

    private static int endOfWord(String word, byte[] buffer, int start, int from, int to) {
        for (int i = 0; i < word.length(); i++) {
            if (from + i == to || buffer[from + i] != word.charAt(i)) {
                throw refused("a word in it is none of true, false and null", from - start);
            }
        }
        return from + word.length();
    }

    private static int endOfNumber(byte[] buffer, int start, int from, int to) {
        int at = buffer[from] == '-' ? from + 1 : from;
        at = is(buffer, at, to, '0') ? at + 1 : endOfDigits(buffer, start, at, to);
        if (is(buffer, at, to, '.')) {
            at = endOfDigits(buffer, start, at + 1, to);
        }
        if (is(buffer, at, to, 'e') || is(buffer, at, to, 'E')) {
            at++;
            boolean isSigned = is(buffer, at, to, '+') || is(buffer, at, to, '-');
            at = endOfDigits(buffer, start, isSigned ? at + 1 : at, to);
        }
        return at;
    }

    private static boolean is(byte[] buffer, int at, int to, char expected) {
        return at < to && buffer[at] == expected;
    }

    private static int endOfDigits(byte[] buffer, int start, int from, int to) {
        int at = from;
        while (at < to && buffer[at] >= '0' && buffer[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw refused("a number in it lacks a digit", at - start);
        }
        return at;
    }

    private static int endOfString(byte[] buffer, int start, int from, int to) {
        int at = afterPlainWords(buffer, from, to);
        while (at < to) {
            byte b = buffer[at];
            if (b >= ' ' && b != '"' && b != '\\') {
                at++;
            } else if (b == '"') {
                return at + 1;
            } else if (b == '\\') {
                at = afterEscape(buffer, start, at, to);
            } else if (b < 0) {
                at = afterCharacter(buffer, start, at, to);
            } else {
                throw refused("a string in it holds a control character", at - start);
            }
        }
        throw refused("it ends within a string", to - start);
    }

    /** Skips ASCII without quotes, escapes and control characters, eight bytes at a time. */
    private static int afterPlainWords(byte[] buffer, int from, int to) {
        int at = from;
        while (at <= to - Long.BYTES) {
            long word = (long) LONGS.get(buffer, at);
            long special = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ ESCAPES) | ((word - SPACES) & ~word) | word;
            if ((special & HIGH_BITS) != 0) {
                return at + Long.numberOfTrailingZeros(special & HIGH_BITS) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        return at;
    }

    /** The high bit of each byte that is zero; bits above the lowest of them may be wrong. */
    private static long zeroBytes(long word) {
        return (word - ONES) & ~word;
    }

    private static int afterEscape(byte[] buffer, int start, int at, int to) {
        if (at + 1 < to && ESCAPED.indexOf(buffer[at + 1]) >= 0) {
            return at + 2;
        }
        int end = at + 2 + HEX_DIGITS;
        boolean isUnit = end <= to && buffer[at + 1] == 'u';
        for (int i = at + 2; isUnit && i < end; i++) {
            isUnit = buffer[i] > 0 && Character.digit((char) buffer[i], HEX) >= 0;
        }
        if (!isUnit) {
            throw refused("a string in it holds a backslash that escapes nothing", at - start);
        }
        return end;
    }

    private static int afterCharacter(byte[] buffer, int start, int at, int to) {
        int length = Utf8.lengthOfCharacter(buffer, at, to);
        if (length == 0) {
            throw refused("a string in it is not UTF-8", at - start);
        }
        return at + length;
    }

    private static RefusedException misplaced(int at) {
        return refused("it holds a token where JSON does not allow it", at);
    }

    private static RefusedException refused(String fault, int at) {
        return new RefusedException("the value is not a JSON object: " + fault + " (at byte " + at + ")");
    }
}
