package io.tidegate.connect.common.value;

import java.util.Arrays;

/**
 * A vector as a JSON array of numbers, such as {@code [1.5, -2]}. Each element is the float nearest to its text. One
 * thread; it is used again for the next vector.
 */
public final class VectorText {
    /** More elements than PostgreSQL's and Elasticsearch's types take. */
    private static final int TOO_MANY = 16_001;

    private static final int FIRST_CAPACITY = 1_024;
    private static final int NONE = -1;
    private static final int TEN = 10;
    private static final int MOST_EXPONENT = 100;

    private final DecimalText rare = new DecimalText();
    private float[] elements = {}; // most documents have no vector
    private int size;
    private byte[] text = new byte[0];
    private int at;
    private int to;
    private int significant; // digits of the number, without leading zeros

    /** Reads a vector. False if the text is none, has no elements or too many, or one that no float is near to. */
    public boolean read(byte[] bytes, int from, int end) {
        return readFirst(bytes, from, end) == end;
    }

    /**
     * The same for the vector with which a text begins.
     *
     * @return where it ends; negative if there is none
     */
    public int readFirst(byte[] bytes, int from, int end) {
        text = bytes;
        at = from;
        to = end;
        size = 0;
        byte next = at < to && text[at] == '[' ? (byte) ',' : 0;
        while (next == ',') {
            at++;
            skipSpace();
            if (size + 1 == TOO_MANY || !readElement()) {
                return NONE;
            }
            skipSpace();
            next = at < to ? text[at] : 0;
        }
        return next == ']' ? at + 1 : NONE;
    }

    private boolean readElement() {
        int start = at;
        boolean isNegative = at < to && text[at] == '-';
        if (isNegative) {
            at++;
        }
        int first = at;
        significant = 0;
        long digits = readDigits(0);
        boolean isNumber = at > first;
        int scale = 0;
        if (at < to && text[at] == '.') {
            int point = at;
            at++;
            digits = readDigits(digits);
            scale = at - point - 1;
            isNumber &= scale > 0;
        }
        int exponent = at < to && (text[at] == 'e' || text[at] == 'E') ? readExponent() : 0;
        boolean isUsual = isNumber && significant <= DecimalText.LONG_DIGITS && Math.abs(exponent) < MOST_EXPONENT;
        float value = isUsual ? DecimalText.nearestFloat(digits, exponent - scale) : Float.NaN;
        return add(Float.isNaN(value) ? rare(start) : isNegative ? -value : value);
    }

    /** Goes behind some digits. The number is wrong if more than {@link DecimalText#LONG_DIGITS} are significant. */
    private long readDigits(long before) {
        long number = before;
        while (at < to && text[at] >= '0' && text[at] <= '9') {
            number = number * TEN + text[at] - '0';
            significant += number == 0 ? 0 : 1;
            at++;
        }
        return number;
    }

    private int readExponent() {
        at++;
        int ofNumber = significant;
        boolean isMinus = at < to && text[at] == '-';
        if (isMinus || (at < to && text[at] == '+')) {
            at++;
        }
        int first = at;
        int number = (int) readDigits(0);
        significant = ofNumber;
        int most = at == first || at - first > 2 ? MOST_EXPONENT : number; // then it is rare, or none
        return isMinus ? -most : most;
    }

    /** The element that ends here, by other means; NaN if it has no form of a float. */
    private float rare(int start) {
        return rare.read(text, start, at) ? rare.asFloat() : Float.NaN;
    }

    private boolean add(float element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, Math.max(FIRST_CAPACITY, 2 * size));
        }
        elements[size] = element;
        size++;
        return !Float.isNaN(element);
    }

    private void skipSpace() {
        while (at < to && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    /** How many elements it has. */
    public int size() {
        return size;
    }

    /** An element, counted from 0. It is finite. */
    public float get(int index) {
        return elements[index];
    }
}
