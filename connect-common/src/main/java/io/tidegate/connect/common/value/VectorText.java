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

    private final DecimalText decimal = new DecimalText();
    private float[] elements = new float[FIRST_CAPACITY];
    private int size;

    /** Reads a vector. False if the text is none, has no elements or too many, or one that no float is near to. */
    public boolean read(byte[] text, int from, int to) {
        size = 0;
        if (to - from < 2 || text[from] != '[' || text[to - 1] != ']') {
            return false;
        }
        int at = from + 1;
        while (at < to) {
            int first = skipSpace(text, at, to);
            int end = first;
            while (end < to && text[end] != ',' && text[end] != ']' && !isSpace(text[end])) {
                end++;
            }
            at = skipSpace(text, end, to);
            boolean isEnded = at < to && text[at] == (at == to - 1 ? ']' : ',');
            if (!isEnded || size + 1 == TOO_MANY || !decimal.read(text, first, end) || !add(decimal.asFloat())) {
                return false;
            }
            at++;
        }
        return true;
    }

    private boolean add(float element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, 2 * size);
        }
        elements[size] = element;
        size++;
        return !Float.isNaN(element);
    }

    private static int skipSpace(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isSpace(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
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
