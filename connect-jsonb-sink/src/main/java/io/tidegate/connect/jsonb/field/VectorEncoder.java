package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.value.VectorText;

/**
 * Encodes vectors as the types {@code vector} and {@code halfvec} of pgvector, unless the server would refuse them or
 * their form is rare. One thread. Source of the formats: {@code vector_recv} and {@code halfvec_recv} in pgvector's
 * sources.
 */
final class VectorEncoder {
    private static final int HALF_INFINITE = 0x7c00;
    private static final int HALF_SIGN = 0x8000;
    private static final int HALF_FRACTION = 10; // bits
    private static final int HALF_LEAST_EXPONENT = -14; // of a normal number
    private static final int HALF_MOST_EXPONENT = 15;
    private static final int FRACTION = 23; // bits of a float
    private static final int FRACTION_MASK = (1 << FRACTION) - 1;

    private final VectorText vector = new VectorText();

    /**
     * Writes the binary form.
     *
     * @param isHalf whether the elements have two bytes, and not four
     * @return false if the server has to read the text; nothing is then written
     */
    boolean put(byte[] text, int from, int to, boolean isHalf, ByteArena out) {
        if (!vector.read(text, from, to)) {
            return false;
        }
        int start = out.size();
        out.putShort(vector.size());
        out.putShort(0); // unused
        for (int i = 0; i < vector.size(); i++) {
            if (!isHalf) {
                out.putInt(Float.floatToRawIntBits(vector.get(i)));
                continue;
            }
            int half = half(vector.get(i));
            if ((half & HALF_INFINITE) == HALF_INFINITE) {
                out.cut(start);
                return false;
            }
            out.putShort(half);
        }
        return true;
    }

    /** The nearest half, of two the even one, in the binary16 format of IEEE 754; infinite if it is too large. */
    static int half(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> Short.SIZE) & HALF_SIGN;
        int exponent = Math.getExponent(value);
        if (exponent > HALF_MOST_EXPONENT) {
            return sign | HALF_INFINITE;
        }
        int dropped = FRACTION - HALF_FRACTION + Math.max(0, HALF_LEAST_EXPONENT - exponent);
        if (dropped > FRACTION + 1) {
            return sign; // less than half of the smallest one
        }
        int significand = (bits & FRACTION_MASK) | (1 << FRACTION);
        int kept = significand >>> dropped;
        int rest = significand & ((1 << dropped) - 1);
        int middle = 1 << (dropped - 1);
        if (rest > middle || (rest == middle && (kept & 1) == 1)) {
            kept++; // a carry reaches the exponent, as it should
        }
        int biased =
                Math.max(exponent - HALF_LEAST_EXPONENT, 0); // one less, because a normal number brings a leading 1
        return sign | ((biased << HALF_FRACTION) + kept);
    }
}
