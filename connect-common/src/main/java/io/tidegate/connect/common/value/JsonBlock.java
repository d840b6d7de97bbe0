package io.tidegate.connect.common.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What 64 bytes of JSON contain, as a bit for each byte, the first byte in the lowest bit. Eight bytes at a time and
 * without branches, as Langdale and Lemire describe it ("Parsing gigabytes of JSON per second", VLDB Journal 28, 2019), in
 * the registers that Java has. Pure.
 */
final class JsonBlock {
    /** The bit of {@code ]} and <code>}</code> that {@code [} and <code>{</code> lack. */
    static final int CLOSING = 4;

    /** The bit of <code>{</code> and <code>}</code> that {@code [} and {@code ]} lack. */
    static final int OF_OBJECT = 0x20;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long ESCAPES = ONES * '\\';

    /** All brackets have these bits in common with each other and with Y, y, _ and DEL. */
    private static final long COMMON_BITS = 0xd9d9d9d9d9d9d9d9L;

    private static final long BRACKETS = ONES * 0x59;

    /** Multiplied with the lowest bits of eight bytes, they come together in the highest byte. */
    private static final long TOGETHER = 0x0102040810204080L;

    private JsonBlock() {}

    static boolean isBracket(byte c) {
        return c == '{' || c == '}' || c == '[' || c == ']';
    }

    static boolean hasEscape(byte[] bytes, int from) {
        long found = 0;
        for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
            long word = (long) LONGS.get(bytes, from + i) ^ ESCAPES;
            found |= (word - ONES) & ~word;
        }
        return (found & HIGH_BITS) != 0;
    }

    static long quotes(byte[] bytes, int from) {
        long quotes = 0;
        for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
            quotes |= zeroBytes((long) LONGS.get(bytes, from + i) ^ QUOTES) << i;
        }
        return quotes;
    }

    /** Brackets and braces, those in strings, too. */
    static long brackets(byte[] bytes, int from) {
        long brackets = 0;
        for (int i = 0; i < Long.SIZE; i += Long.BYTES) {
            long word = (long) LONGS.get(bytes, from + i);
            long bits = word ^ (word << 1); // in each byte, bit 2 says whether bits 1 and 2 differ
            brackets |= zeroBytes(((word & COMMON_BITS) ^ BRACKETS) | (~bits & (ONES * CLOSING))) << i;
        }
        return brackets;
    }

    /** The places from each odd one of these bits to before the next. */
    static long between(long bits) {
        long between = bits ^ (bits << 1);
        between ^= between << 2;
        between ^= between << 4;
        between ^= between << 8;
        between ^= between << 16;
        return between ^ (between << 32);
    }

    /** A bit for each byte that is zero, in the lowest eight. */
    private static long zeroBytes(long word) {
        long notZero = ((word & ~HIGH_BITS) + ~HIGH_BITS) | word;
        return (((~notZero & HIGH_BITS) >>> 7) * TOGETHER) >>> 56;
    }
}
