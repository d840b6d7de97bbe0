package io.tidegate.connect.common.value;

import java.util.Arrays;
import java.util.Objects;

/**
 * A part of an array, usually a document inside the bytes that the consumer fetched. Immutable; any thread. The array is
 * shared, not copied: nobody may write to it. Slices are compared by identity.
 */
public final class ByteSlice {
    private final byte[] array;
    private final int from;
    private final int to;

    private ByteSlice(byte[] array, int from, int to) {
        Objects.checkFromToIndex(from, to, array.length);
        this.array = array;
        this.from = from;
        this.to = to;
    }

    /** The whole array. */
    public static ByteSlice of(byte[] array) {
        return new ByteSlice(array, 0, array.length);
    }

    /**
     * A part of an array.
     *
     * @param from index of the first byte
     * @param to index after the last byte
     * @throws IndexOutOfBoundsException when the array has no such part
     */
    public static ByteSlice of(byte[] array, int from, int to) {
        return new ByteSlice(array, from, to);
    }

    /** The whole array, which must not be changed. */
    public byte[] array() {
        return array;
    }

    /** The index of the first byte in {@link #array()}. */
    public int from() {
        return from;
    }

    /** The index after the last byte in {@link #array()}. */
    public int to() {
        return to;
    }

    public int length() {
        return to - from;
    }

    public boolean isEmpty() {
        return from == to;
    }

    /** These bytes alone: the array itself if the slice is all of it, otherwise a copy. */
    public byte[] bytes() {
        return length() == array.length ? array : Arrays.copyOfRange(array, from, to);
    }

    /** Only the length, because a record's content must not appear in a message. */
    @Override
    public String toString() {
        return length() + " bytes";
    }
}
