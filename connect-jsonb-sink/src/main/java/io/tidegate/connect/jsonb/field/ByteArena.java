package io.tidegate.connect.jsonb.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A growing array of bytes, in network order. One thread. */
final class ByteArena {
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int size;

    ByteArena(int capacity) {
        bytes = new byte[capacity];
    }

    /** The array, which the next write may replace. */
    byte[] array() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** Takes back what was written since the arena had this size. */
    void cut(int to) {
        size = to;
    }

    void put(byte value) {
        int start = grow(1); // before the array is read, which it may replace
        bytes[start] = value;
    }

    void putShort(int value) {
        int start = grow(Short.BYTES);
        SHORTS.set(bytes, start, (short) value);
    }

    /** Replaces two bytes that were written. */
    void setShort(int at, int value) {
        SHORTS.set(bytes, at, (short) value);
    }

    void putInt(int value) {
        int start = grow(Integer.BYTES);
        INTS.set(bytes, start, value);
    }

    void putLong(long value) {
        int start = grow(Long.BYTES);
        LONGS.set(bytes, start, value);
    }

    void put(byte[] from, int start, int end) {
        int at = grow(end - start);
        System.arraycopy(from, start, bytes, at, end - start);
    }

    /** Makes room and returns where it begins. */
    private int grow(int length) {
        int start = size;
        size = Math.addExact(size, length);
        if (size > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
        }
        return start;
    }
}
