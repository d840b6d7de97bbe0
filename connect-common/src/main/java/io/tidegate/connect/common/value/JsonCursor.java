package io.tidegate.connect.common.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over the members of JSON objects in UTF-8. It skips values without reading them, of which it checks only what it
 * needs to find their ends, or checks them completely. One thread; it is used again for the next text.
 */
public final class JsonCursor extends JsonScanner {
    private boolean isFirst;
    private boolean isNameEscaped;
    private boolean isExpected;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    /** Whether this whole text is an object, of which it then goes to the first member. */
    public boolean open(ByteSlice text) {
        start(text);
        return isEntered();
    }

    /** The same for a part of an array, of which it also checks what is in strings. */
    public boolean openChecked(byte[] text, int from, int end) {
        start(text, from, end, true);
        return isEntered();
    }

    private boolean isEntered() {
        if (!isObject()) {
            return false;
        }
        enter();
        return true;
    }

    /** Goes to the value that is this whole text. */
    void start(ByteSlice text) {
        start(text.array(), text.from(), text.to(), false);
    }

    private void start(byte[] text, int from, int end, boolean ofStrings) {
        startAt(text, from, end, ofStrings);
        valueFrom = skipSpace();
    }

    /** Goes to the first member of the object, or the first element of the array, that is the current value. */
    public void enter() {
        at = valueFrom + 1;
        isFirst = true;
    }

    /**
     * The same as {@link #next()}, and faster if the member begins as expected. {@link #isExpected()} tells.
     *
     * @param expected a name that needs no escape, in its quotes, and a colon
     */
    public boolean next(byte[] expected) {
        if (isClosed(false)) {
            return false;
        }
        isExpected = startsWith(expected);
        if (isExpected) {
            nameFrom = at + 1;
            nameTo = at + expected.length - 2; // before the quote and the colon
            isNameEscaped = false;
            at += expected.length;
            valueFrom = skipSpace();
        } else {
            readName();
        }
        return true;
    }

    /** Goes to the next member. False at the object's end, which it leaves behind. */
    public boolean next() {
        if (isClosed(false)) {
            return false;
        }
        isExpected = false;
        readName();
        return true;
    }

    private void readName() {
        require('"', "a name");
        nameFrom = at;
        skipString();
        nameTo = at - 1;
        isNameEscaped = hasEscape;
        skipSpace();
        require(':', "a colon");
        valueFrom = skipSpace();
    }

    /** Goes to the next element of an array. False at the array's end, which it leaves behind. */
    boolean nextElement() {
        if (isClosed(true)) {
            return false;
        }
        valueFrom = at;
        return true;
    }

    /** Whether the object or array ends here, which it then leaves behind; otherwise skips the comma before what is next. */
    private boolean isClosed(boolean array) {
        byte c = afterSpace();
        if (c == (array ? ']' : '}')) {
            at++;
            isFirst = false; // what is around it goes on
            return true;
        }
        if (!isFirst) {
            require(',', afterValue(array));
            skipSpace();
        }
        isFirst = false;
        return false;
    }

    /** Checks that nothing follows the value that was left last. */
    public void end() {
        if (skipSpace() != to) {
            throw expected("the end of the value");
        }
    }

    /** Whether the member began as {@link #next(byte[])} expected. */
    public boolean isExpected() {
        return isExpected;
    }

    /** Whether the bytes of the member's name are these. Those of a name with an escape are not the name. */
    public boolean isNamed(byte[] name) {
        return nameTo - nameFrom == name.length && Arrays.equals(json, nameFrom, nameTo, name, 0, name.length);
    }

    /** The array of the text. */
    public byte[] text() {
        return json;
    }

    /** Where the name's bytes start in the array of the text. */
    public int nameFrom() {
        return nameFrom;
    }

    /** Where they end. */
    public int nameTo() {
        return nameTo;
    }

    /** The name's bytes as they are written. */
    public ByteSlice name() {
        return ByteSlice.of(json, nameFrom, nameTo);
    }

    /** The name without escapes. */
    public String nameText() {
        return JsonText.of(ByteSlice.of(json, nameFrom - 1, nameTo + 1)); // with its quotes
    }

    /** Whether the name has an escape, so that its bytes are not the name. */
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

    /** Whether the value starts like null. {@link #skip} refuses what is not null then. */
    public boolean isNull() {
        return valueFrom < to && json[valueFrom] == 'n';
    }

    /** Whether the current value, which was skipped, is a string with an escape. */
    public boolean isEscaped() {
        return isString() && hasEscape;
    }

    /** Skips the current value, which ends at this place in the array of the text. */
    public void skipTo(int end) {
        at = end;
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

    /** Whether there is no value at all. */
    boolean isAtEnd() {
        return valueFrom == to;
    }

    /** Where the current value starts in the array of the text. */
    public int valueFrom() {
        return valueFrom;
    }

    /** The value that starts at this place in the array of the text, which it skips. */
    ByteSlice takeFrom(int from) {
        at = from;
        checkValue(0, Integer.MAX_VALUE);
        ByteSlice value = ByteSlice.of(json, from, at);
        if (skipSpace() < to && ",]}".indexOf(json[at]) < 0) {
            throw expected("the end of the value");
        }
        at = value.to();
        return value;
    }

    /** Where the cursor is in the array of the text. */
    public int position() {
        return at;
    }

    /** Skips the current value and returns its JSON. */
    public ByteSlice take() {
        skip();
        return ByteSlice.of(json, valueFrom, at);
    }

    /** Skips the current value. */
    public void skip() {
        at = valueFrom;
        byte c = peek();
        if (c == '{' || c == '[') {
            skipNested();
        } else {
            skipScalar(c);
        }
    }

    /**
     * Skips the value of a member of the outermost object, and checks all of its grammar.
     *
     * @param maxDepth most brackets that may be open at once
     */
    public void skipChecked(int maxDepth) {
        at = valueFrom;
        checkValue(1, maxDepth);
    }

    /**
     * Checks that a text is one JSON value.
     *
     * @throws RefusedException when it is not
     */
    public void check(ByteSlice text) {
        start(text.array(), text.from(), text.to(), true);
        checkValue(0, Integer.MAX_VALUE);
        end();
    }

    /** Whether the white space that was skipped so far has a line break. */
    public boolean hasLineBreak() {
        return hasLineBreak;
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
        at = to;
        throw expected("the end of an object or array");
    }

    /** The depth behind this bracket. */
    private int after(int bracket, int depth) {
        boolean isOpening = (json[bracket] & JsonBlock.CLOSING) == 0;
        boolean ofArray = (json[bracket] & JsonBlock.OF_OBJECT) == 0;
        if (isOpening) {
            push(depth, ofArray);
            return depth + 1;
        }
        if (isArray(depth - 1) != ofArray) {
            at = bracket;
            throw expected("another bracket");
        }
        return depth - 1;
    }

    public static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
