package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.DecimalText;

/**
 * Encodes decimal numbers as {@code numeric}. Source of the format: {@code numeric_recv} and {@code set_var_from_str} in
 * PostgreSQL's {@code numeric.c}.
 */
final class NumericEncoder {
    private static final int NEGATIVE = 0x4000;
    private static final int DIGITS_OF_A_GROUP = 4; // numeric counts in base 10,000
    private static final int TEN = 10;

    private NumericEncoder() {}

    static void put(DecimalText number, ByteArena out) {
        if (number.digits() == 0) {
            putHead(out, 0, 0, false, number.scale());
            return;
        }
        ByteSlice digits = number.significant();
        int place = number.firstPlace();
        int weight = Math.floorDiv(place, DIGITS_OF_A_GROUP);
        int lead = (weight + 1) * DIGITS_OF_A_GROUP - (place + 1); // zeros before the first digit in its group
        int head = out.size();
        putHead(out, 0, weight, number.isNegative(), number.scale());
        int groups = 0;
        int group = 0;
        int inGroup = lead;
        for (int at = digits.from(); at < digits.to(); at++) {
            if (digits.array()[at] == '.') {
                continue;
            }
            group = group * TEN + digits.array()[at] - '0';
            inGroup++;
            if (inGroup == DIGITS_OF_A_GROUP) {
                out.putShort(group);
                groups++;
                group = 0;
                inGroup = 0;
            }
        }
        if (inGroup > 0) {
            for (; inGroup < DIGITS_OF_A_GROUP; inGroup++) {
                group *= TEN;
            }
            out.putShort(group);
            groups++;
        }
        out.setShort(head, groups);
    }

    private static void putHead(ByteArena out, int groups, int weight, boolean isNegative, int scale) {
        out.putShort(groups);
        out.putShort(weight);
        out.putShort(isNegative ? NEGATIVE : 0);
        out.putShort(scale);
    }
}
