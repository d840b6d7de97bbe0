package io.tidegate.connect.common.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over the members of JSON objects in UTF-8 and skips values without reading them. It checks the structure that
 * it needs to find the ends of values, which is less than the whole grammar. One thread; it is used again for the next
 * text, and it never recurses.
 */
public final class JsonCursor {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long ESCAPES = ONES * '\\';

    private long[] isArray = new long[1]; // a bit for each open bracket
    private byte[] json = new byte[0];
    private int base; // where the text starts, for messages
    private int at;
    private int to;
    private boolean isFirst;
    private boolean hasEscape; // in the string that was skipped last
    private boolean isNameEscaped;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    /** Goes to the first member of the object that is this whole text. Whether the text is an object at all. */
    public boolean open(ByteSlice text) {
        start(text);
        return isObject() && enter();
    }

    /** Goes to the value that is this whole text. */
    void start(ByteSlice text) {
        json = text.array();
        base = text.from();
        at = base;
        to = text.to();
        valueFrom = skipSpace();
    }

    /** Goes to the first member of the object, or the first element of the array, that is the current value. Always true. */
    public boolean enter() {
        at = valueFrom + 1;
        isFirst = true;
        return true;
    }

    /** Goes to the next member. False at the object's end, which it leaves behind. */
    public boolean next() {
        if (isClosed('}')) {
            return false;
        }
        require(json(at) == '"');
        nameFrom = ++at;
        nameTo = skipString() - 1;
        isNameEscaped = hasEscape;
        require(json(skipSpace()) == ':');
        at++;
        valueFrom = skipSpace();
        return true;
    }

    /** Goes to the next element of an array. False at the array's end, which it leaves behind. */
    boolean nextElement() {
        if (isClosed(']')) {
            return false;
        }
        valueFrom = at;
        return true;
    }

    /** Whether this bracket is next, which it then leaves behind; otherwise skips the comma before what is next. */
    private boolean isClosed(char bracket) {
        byte c = json(skipSpace());
        if (c == bracket) {
            at++;
            isFirst = false; // what is around it goes on
            return true;
        }
        if (!isFirst) {
            require(c == ',');
            at++;
            skipSpace();
        }
        isFirst = false;
        return false;
    }

    /** Checks that nothing follows the object that was left last. */
    public void end() {
        if (skipSpace() != to) {
            throw malformed(at);
        }
    }

    /** Whether the member has this name, in ASCII. A name with an escape has none that is known. */
    public boolean isNamed(byte[] name) {
        return Arrays.equals(json, nameFrom, nameTo, name, 0, name.length);
    }

    public int nameLength() {
        return nameTo - nameFrom;
    }

    /** The name's bytes as they are written. */
    public ByteSlice name() {
        return ByteSlice.of(json, nameFrom, nameTo);
    }

    /** What the name is. */
    String nameText() {
        return JsonText.of(ByteSlice.of(json, nameFrom - 1, nameTo + 1)); // with its quotes
    }

    /** Whether the name has an escape, so that its bytes do not say what it is. */
    public boolean isNameEscaped() {
        return isNameEscaped;
    }

    public boolean isObject() {
        return valueFrom < to && json[valueFrom] == '{';
    }

    boolean isArray() {
        return valueFrom < to && json[valueFrom] == '[';
    }

    /** Whether it is an object or an array. */
    public boolean isNested() {
        return isObject() || isArray();
    }

    public boolean isString() {
        return valueFrom < to && json[valueFrom] == '"';
    }

    /** Whether a value that starts like this is null; whether it is, {@link #skip} checks. */
    public boolean isNull() {
        return valueFrom < to && json[valueFrom] == 'n';
    }

    /** Skips the current value if it is these bytes. */
    public boolean skipIf(ByteSlice value) {
        int end = valueFrom + value.length();
        if (end > to || !Arrays.equals(json, valueFrom, end, value.array(), value.from(), value.to())) {
            return false;
        }
        at = end;
        return true;
    }

    /**
     * Skips the current value if it differs from this object in its digits only. Digits neither begin nor end a string or
     * an object, so the value ends where the object ends.
     */
    public boolean skipIfAlike(ByteSlice object) {
        int end = isObject() ? endIfAlike(object, valueFrom) : -1;
        if (end >= 0) {
            at = end;
        }
        return end >= 0;
    }

    /** Skips the rest of the text if it differs from this one in its digits only. An empty one is like none. */
    public boolean skipRestIfAlike(ByteSlice rest) {
        if (rest.length() == 0 || endIfAlike(rest, at) != to) {
            return false;
        }
        at = to;
        return true;
    }

    /** The end of what begins here and differs from the known text in its digits only; negative if it differs more. */
    private int endIfAlike(ByteSlice text, int from) {
        byte[] known = text.array();
        int i = text.from();
        int j = from;
        while (true) {
            int equal = Arrays.mismatch(known, i, text.to(), json, j, to);
            if (equal < 0 || i + equal == text.to()) {
                return j + text.to() - i;
            }
            i += equal;
            j += equal;
            if (j == to || !(isDigit(known[i]) || isDigit(json[j])) || !isInDigits(known, i) || !isInDigits(json, j)) {
                return -1;
            }
            while (isDigit(known[i])) {
                i++;
            }
            while (j < to && isDigit(json[j])) {
                j++;
            }
        }
    }

    /** Whether there is no value at all. */
    boolean isAtEnd() {
        return valueFrom == to;
    }

    /** Where the current value starts in the array of the text. */
    int valueFrom() {
        return valueFrom;
    }

    /** What was read since this place in the array of the text. */
    ByteSlice since(int from) {
        return ByteSlice.of(json, from, at);
    }

    /** Where the cursor is in the array of the text. */
    public int position() {
        return at;
    }

    /** Whether there is a digit here or just before. */
    private static boolean isInDigits(byte[] text, int index) {
        return isDigit(text[index]) || isDigit(text[index - 1]);
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** The JSON of the value that was skipped last. */
    public ByteSlice skipped() {
        return ByteSlice.of(json, valueFrom, at);
    }

    /** Skips the current value and returns its JSON. */
    public ByteSlice take() {
        skip();
        return skipped();
    }

    /** Skips the current value. */
    public void skip() {
        at = valueFrom;
        byte c = json(at);
        switch (c) {
            case '"' -> {
                at++;
                skipString();
            }
            case '{', '[' -> skipNested();
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipWord(String word) {
        for (int i = 0; i < word.length(); i++) {
            require(json(at) == word.charAt(i));
            at++;
        }
    }

    private void skipNumber() {
        int from = at;
        while (at < to && isOfNumber(json[at])) {
            at++;
        }
        require(at > from);
    }

    private static boolean isOfNumber(byte c) {
        return isDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    }

    /**
     * From an opening bracket to the one that closes it: 64 bytes at a time without a branch for each string, because
     * strings are short and their lengths are hard to predict. Blocks with an escape are read byte by byte.
     */
    private void skipNested() {
        byte[] bytes = json;
        int i = at;
        int depth = 0;
        boolean isInString = false;
        while (i < to) {
            int blockTo = i + Long.SIZE;
            if (blockTo <= to && !JsonBlock.hasEscape(bytes, i)) {
                long inStrings = JsonBlock.between(JsonBlock.quotes(bytes, i)) ^ (isInString ? -1L : 0);
                long brackets = JsonBlock.brackets(bytes, i) & ~inStrings;
                while (brackets != 0) {
                    int bracket = i + Long.numberOfTrailingZeros(brackets);
                    depth = after(bracket, depth);
                    if (depth == 0) {
                        at = bracket + 1;
                        return;
                    }
                    brackets &= brackets - 1;
                }
                isInString = inStrings < 0;
                i = blockTo;
                continue;
            }
            for (; i < Math.min(blockTo, to); i++) {
                byte c = bytes[i];
                if (isInString) {
                    if (c == '\\') {
                        i++;
                    } else if (c == '"') {
                        isInString = false;
                    }
                } else if (c == '"') {
                    isInString = true;
                } else if (JsonBlock.isBracket(c)) {
                    depth = after(i, depth);
                    if (depth == 0) {
                        at = i + 1;
                        return;
                    }
                }
            }
        }
        throw malformed(to);
    }

    /** The depth behind this bracket. */
    private int after(int bracket, int depth) {
        boolean isOpening = (json[bracket] & JsonBlock.CLOSING) == 0;
        boolean ofArray = (json[bracket] & JsonBlock.OF_OBJECT) == 0;
        if (isOpening) {
            push(depth, ofArray);
            return depth + 1;
        }
        at = bracket;
        require(isArray(depth - 1) == ofArray);
        return depth - 1;
    }

    private void push(int depth, boolean array) {
        long bit = 1L << depth; // modulo 64
        int word = depth / Long.SIZE;
        if (word == isArray.length) {
            isArray = Arrays.copyOf(isArray, 2 * word);
        }
        isArray[word] = array ? isArray[word] | bit : isArray[word] & ~bit;
    }

    private boolean isArray(int depth) {
        return (isArray[depth / Long.SIZE] & (1L << depth)) != 0;
    }

    /** From after the opening quote to after the closing one, which is returned. Eight bytes at a time. */
    private int skipString() {
        byte[] bytes = json;
        int i = at;
        hasEscape = false;
        while (true) {
            while (i <= to - Long.BYTES) {
                long word = (long) LONGS.get(bytes, i);
                long found = zeroBytes(word ^ QUOTES) | zeroBytes(word ^ ESCAPES);
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
                throw malformed(to);
            }
            if (bytes[i] == '"') {
                at = i + 1;
                return at;
            }
            hasEscape = true;
            i += 2; // the escape and what it escapes
        }
    }

    /** The high bit of each byte that is zero; bytes above the lowest such byte may be wrong. */
    private static long zeroBytes(long word) {
        return (word - ONES) & ~word & HIGH_BITS;
    }

    private int skipSpace() {
        int i = at;
        while (i < to && isSpace(json[i])) {
            i++;
        }
        at = i;
        return i;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private byte json(int index) {
        if (index >= to) {
            throw malformed(to);
        }
        return json[index];
    }

    private void require(boolean expected) {
        if (!expected) {
            throw malformed(at);
        }
    }

    private RefusedException malformed(int index) {
        return new RefusedException("the value is not JSON that can be read, at byte " + (index - base)
                + (index >= to ? ", where it ends" : ""));
    }

    public static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
