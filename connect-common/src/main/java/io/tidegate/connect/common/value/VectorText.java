package io.tidegate.connect.common.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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
    private static final int LOWER_CASE = 0x20;
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};
    private static final long UPPER_HALVES = 0xF0F0F0F0F0F0F0F0L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long THREES = 0x3333333333333333L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final DecimalText rare = new DecimalText();
    private float[] elements = {}; // most documents have no vector
    private int size;
    private byte[] text = new byte[0];
    private int at;
    private int to;

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

    /** Without a branch on what differs from number to number: its sign, and how many digits it has. */
    private boolean readElement() {
        byte[] bytes = text;
        int start = at;
        int sign = start < to && bytes[start] == '-' ? 1 : 0;
        int first = start + sign;
        int next = first;
        long digits = 0;
        for (; next < to && isDigit(bytes[next]); next++) {
            digits = digits * TEN + bytes[next] - '0';
        }
        boolean isNumber = next > first;
        boolean isBelowOne = digits == 0;
        int count = isBelowOne ? 0 : next - first;
        int scale = 0;
        if (next < to && bytes[next] == '.') {
            int fraction = next + 1;
            next = fraction;
            int read = Long.BYTES;
            for (; read == Long.BYTES && to - next >= Long.BYTES; next += read) {
                long eight = (long) LONGS.get(bytes, next);
                read = digitsOf(eight);
                digits = digits * POWERS[read]
                        + number(read == Long.BYTES ? eight : (eight << (Byte.SIZE * (7 - read))) << Byte.SIZE);
            }
            for (; next < to && isDigit(bytes[next]); next++) {
                digits = digits * TEN + bytes[next] - '0';
            }
            scale = next - fraction;
            isNumber &= scale > 0;
            count += scale;
        }
        at = next;
        int exponent = next < to && (bytes[next] | LOWER_CASE) == 'e' ? readExponent() : 0;
        boolean isUsual = isNumber
                && Math.abs(exponent) < MOST_EXPONENT
                && (count <= DecimalText.LONG_DIGITS
                        || (isBelowOne && count - zeros(next - scale) <= DecimalText.LONG_DIGITS));
        float value = isUsual ? DecimalText.nearestFloat(digits, exponent - scale) : Float.NaN;
        return add(
                Float.isNaN(value)
                        ? rare(start)
                        : Float.intBitsToFloat(Float.floatToRawIntBits(value) ^ (sign << (Integer.SIZE - 1))));
    }

    /** How many zeros come here. Before all other digits they do not count. */
    private int zeros(int from) {
        int zeros = 0;
        while (from + zeros < to && text[from + zeros] == '0') {
            zeros++;
        }
        return zeros;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** With how many digits eight bytes begin. A digit has 3 as its upper half, also after adding 6. */
    private static int digitsOf(long eight) {
        long others = ((eight & UPPER_HALVES) | (((eight + SIXES) & UPPER_HALVES) >>> 4)) ^ THREES;
        return Long.numberOfTrailingZeros(others) / Byte.SIZE;
    }

    /** The number of eight digits, the first of which is in the lowest byte: pairs, then fours, then all. */
    private static long number(long eight) {
        long pairs = ((eight & 0x0F0F0F0F0F0F0F0FL) * (TEN * 256 + 1)) >>> 8;
        long fours = ((pairs & 0x00FF00FF00FF00FFL) * (100 * 65_536 + 1)) >>> 16;
        return ((fours & 0x0000FFFF0000FFFFL) * (10_000L * (1L << 32) + 1)) >>> 32;
    }

    private int readExponent() {
        at++;
        boolean isMinus = at < to && text[at] == '-';
        if (isMinus || (at < to && text[at] == '+')) {
            at++;
        }
        int first = at;
        int number = 0;
        for (; at < to && isDigit(text[at]); at++) {
            number = number * TEN + text[at] - '0';
        }
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
