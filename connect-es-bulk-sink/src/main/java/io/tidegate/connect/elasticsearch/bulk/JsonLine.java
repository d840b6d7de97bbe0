package io.tidegate.connect.elasticsearch.bulk;

import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.document.Utf8;
import java.util.Arrays;

/**
 * Makes sure that a value is one line of a bulk request: one JSON object, whose line breaks can only be white space
 * between tokens and become spaces. Looks at the structure only, where a fault would reach beyond the document; what is
 * between the brackets is for the server to judge. One lane's thread uses it.
 */
final class JsonLine {
    /** The depth at which Elasticsearch's own parser gives up. */
    static final int MAX_DEPTH = 1_000;

    private static final byte PLAIN = 0;
    private static final byte QUOTE = 1;
    private static final byte OPEN = 2;
    private static final byte CLOSE = 3;
    private static final byte LINE_BREAK = 4;
    private static final byte ILLEGAL = 5;

    /** What each byte means outside strings. */
    private static final byte[] OUTSIDE = outside();

    /** Which bytes may follow a backslash. */
    private static final String ESCAPED = "\"\\/bfnrtu";

    private final byte[] closers = new byte[MAX_DEPTH];

    /** What JSON allows outside strings: white space, separators, and what numbers and literals are made of. */
    private static final String PLAIN_CHARACTERS = " \t,:+-.0123456789Eaeflnrstu";

    private static byte[] outside() {
        byte[] classes = new byte[256];
        Arrays.fill(classes, ILLEGAL);
        PLAIN_CHARACTERS.chars().forEach(c -> classes[c] = PLAIN);
        classes['\n'] = LINE_BREAK;
        classes['\r'] = LINE_BREAK;
        classes['"'] = QUOTE;
        classes['{'] = OPEN;
        classes['['] = OPEN;
        classes['}'] = CLOSE;
        classes[']'] = CLOSE;
        return classes;
    }

    /**
     * Checks the value that stands in the buffer and takes out its line breaks.
     *
     * @throws RefusedException when it is not one JSON object; the buffer is then in no particular state
     */
    void makeSafe(byte[] buffer, int from, int to) {
        int at = afterWhiteSpace(buffer, from, to);
        if (at == to || buffer[at] != '{') {
            throw new RefusedException("the value is not a JSON object: it does not start with `{`");
        }
        int end = afterWhiteSpace(buffer, endOfObject(buffer, from, at, to), to);
        if (end != to) {
            throw refused("something follows its end", from, end);
        }
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
        int depth = 0;
        int at = from;
        while (at < to) {
            byte b = buffer[at];
            switch (OUTSIDE[b & 0xff]) {
                case PLAIN -> at++;
                case QUOTE -> at = endOfString(buffer, start, at + 1, to);
                case LINE_BREAK -> buffer[at++] = ' ';
                case OPEN -> {
                    if (depth == MAX_DEPTH) {
                        throw refused("it is nested deeper than " + MAX_DEPTH + " levels", start, at);
                    }
                    closers[depth++] = (byte) (b + 2); // in ASCII } is two after {, and ] after [
                    at++;
                }
                case CLOSE -> {
                    if (closers[--depth] != b) {
                        throw refused("its brackets do not match", start, at);
                    }
                    at++;
                    if (depth == 0) {
                        return at;
                    }
                }
                default ->
                    throw refused("it holds a character outside strings that JSON does not allow there", start, at);
            }
        }
        throw refused("it ends before its brackets are closed", start, to);
    }

    private static int endOfString(byte[] buffer, int start, int from, int to) {
        int at = from;
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
                throw refused("a string in it holds a control character", start, at);
            }
        }
        throw refused("it ends within a string", start, to);
    }

    private static int afterEscape(byte[] buffer, int start, int at, int to) {
        if (at + 1 < to && ESCAPED.indexOf(buffer[at + 1]) >= 0) {
            return at + 2;
        }
        throw refused("a string in it holds a backslash that escapes nothing", start, at);
    }

    private static int afterCharacter(byte[] buffer, int start, int at, int to) {
        int length = Utf8.lengthOfCharacter(buffer, at, to);
        if (length == 0) {
            throw refused("a string in it is not UTF-8", start, at);
        }
        return at + length;
    }

    private static RefusedException refused(String fault, int start, int at) {
        return new RefusedException("the value is not a JSON object: " + fault + " (at byte " + (at - start) + ")");
    }
}
