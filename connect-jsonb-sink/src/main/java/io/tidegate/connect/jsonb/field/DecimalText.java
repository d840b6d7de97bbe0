package io.tidegate.connect.jsonb.field;

import java.nio.charset.StandardCharsets;

/**
 * A decimal number as text, such as {@code -12.50e3}. Encodes it as PostgreSQL's number types, unless the server would
 * refuse it or its form is rare. One thread; it is used again for the next number. Source of the formats: {@code
 * numeric_recv} and {@code set_var_from_str} in PostgreSQL's {@code numeric.c}.
 */
final class DecimalText {
    /** Longer numbers, and larger exponents, are left to the server. */
    private static final int MOST_DIGITS = 1_000;

    private static final int LONG_DIGITS = 18; // every number of so many digits is a long
    private static final int EXACT_DOUBLE_DIGITS = 15;
    private static final int EXACT_FLOAT_DIGITS = 7;
    private static final int NUMERIC_NEGATIVE = 0x4000;
    private static final int DIGITS_OF_A_GROUP = 4; // numeric counts in base 10,000
    private static final int TEN = 10;

    private static final double[] EXACT_POWERS = new double[23]; // a double holds the powers of ten up to 22 exactly
    private static final float[] EXACT_FLOAT_POWERS = new float[11]; // and a float those up to 10

    static {
        double power = 1;
        for (int i = 0; i < EXACT_POWERS.length; i++, power *= TEN) {
            EXACT_POWERS[i] = power;
        }
        for (int i = 0; i < EXACT_FLOAT_POWERS.length; i++) {
            EXACT_FLOAT_POWERS[i] = (float) EXACT_POWERS[i];
        }
    }

    private byte[] text = new byte[0];
    private int from;
    private int to;
    private boolean isNegative;
    private int point; // where the point is in the text, or where the digits end
    private int digitsFrom;
    private int digitsTo;
    private int digits; // without the leading zeros
    private long mantissa; // of all digits, if they are at most 18
    private int exponent; // as written
    private int fraction; // digits behind the point

    /** Reads a number. False if the text is none, or a rare one. */
    boolean read(byte[] bytes, int start, int end) {
        text = bytes;
        from = start;
        to = end;
        int at = start;
        isNegative = at < end && bytes[at] == '-';
        if (isNegative) {
            at++;
        }
        digitsFrom = at;
        digits = 0;
        mantissa = 0;
        exponent = 0;
        at = readDigits(at);
        point = at;
        fraction = 0;
        if (at == digitsFrom) {
            return false;
        }
        if (at < end && bytes[at] == '.') {
            at = readDigits(at + 1);
            fraction = at - point - 1;
            if (fraction == 0) {
                return false;
            }
        }
        digitsTo = at;
        return digitsTo - digitsFrom <= MOST_DIGITS && (at == end || readExponent(at));
    }

    private int readDigits(int start) {
        int at = start;
        while (at < to && isDigit(text[at])) {
            if (digits > 0 || text[at] != '0') {
                digits++;
                if (digits <= LONG_DIGITS) {
                    mantissa = mantissa * TEN + text[at] - '0';
                }
            }
            at++;
        }
        return at;
    }

    private boolean readExponent(int start) {
        if (text[start] != 'e' && text[start] != 'E') {
            return false;
        }
        int at = start + 1;
        boolean isMinus = at < to && text[at] == '-';
        if (isMinus || (at < to && text[at] == '+')) {
            at++;
        }
        int first = at;
        while (at < to && isDigit(text[at]) && exponent <= MOST_DIGITS) {
            exponent = exponent * TEN + text[at] - '0';
            at++;
        }
        exponent = isMinus ? -exponent : exponent;
        return at == to && at > first && Math.abs(exponent) <= MOST_DIGITS;
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /** Whether it is written without a point and an exponent, and a long holds it. */
    boolean isLong() {
        return digitsTo == to && point == to && digits <= LONG_DIGITS;
    }

    long asLong() {
        return isNegative ? -mantissa : mantissa;
    }

    /** The nearest double; NaN if the server would call it out of range. */
    double asDouble() {
        int power = exponent - fraction;
        if (digits <= EXACT_DOUBLE_DIGITS && Math.abs(power) < EXACT_POWERS.length) {
            double value = power < 0 ? mantissa / EXACT_POWERS[-power] : mantissa * EXACT_POWERS[power];
            return isNegative ? -value : value;
        }
        double value = Double.parseDouble(ascii());
        return Double.isInfinite(value) || (value == 0 && digits > 0) ? Double.NaN : value;
    }

    /** The nearest float; NaN if the server would call it out of range. */
    float asFloat() {
        int power = exponent - fraction;
        if (digits <= EXACT_FLOAT_DIGITS && Math.abs(power) < EXACT_FLOAT_POWERS.length) {
            float value = power < 0 ? mantissa / EXACT_FLOAT_POWERS[-power] : mantissa * EXACT_FLOAT_POWERS[power];
            return isNegative ? -value : value;
        }
        float value = Float.parseFloat(ascii());
        return Float.isInfinite(value) || (value == 0 && digits > 0) ? Float.NaN : value;
    }

    private String ascii() {
        return new String(text, from, to - from, StandardCharsets.US_ASCII);
    }

    /** Writes it in the binary form of {@code numeric}. */
    void putNumeric(ByteArena out) {
        int scale = Math.max(0, fraction - exponent);
        if (digits == 0) {
            putNumericHead(out, 0, 0, false, scale);
            return;
        }
        int first = firstDigit();
        int place = placeOf(first) + exponent; // of the first digit: 0 for units, 1 for tens, -1 for tenths
        int weight = Math.floorDiv(place, DIGITS_OF_A_GROUP);
        int lead = (weight + 1) * DIGITS_OF_A_GROUP - (place + 1); // zeros before the first digit in its group
        int end = lastDigit() + 1;
        int written = end - first - (first < point && point < end ? 1 : 0); // without the point
        int groups = (written + lead + DIGITS_OF_A_GROUP - 1) / DIGITS_OF_A_GROUP;
        putNumericHead(out, groups, weight, isNegative, scale);
        int group = 0;
        int inGroup = lead;
        for (int at = first; at < end; at++) {
            if (text[at] == '.') {
                continue;
            }
            group = group * TEN + text[at] - '0';
            inGroup++;
            if (inGroup == DIGITS_OF_A_GROUP) {
                out.putShort(group);
                group = 0;
                inGroup = 0;
            }
        }
        if (inGroup > 0) {
            for (; inGroup < DIGITS_OF_A_GROUP; inGroup++) {
                group *= TEN;
            }
            out.putShort(group);
        }
    }

    private static void putNumericHead(ByteArena out, int groups, int weight, boolean isNegative, int scale) {
        out.putShort(groups);
        out.putShort(weight);
        out.putShort(isNegative ? NUMERIC_NEGATIVE : 0);
        out.putShort(scale);
    }

    private int firstDigit() {
        int at = digitsFrom;
        while (text[at] == '0' || text[at] == '.') {
            at++;
        }
        return at;
    }

    private int lastDigit() {
        int at = digitsTo - 1;
        while (text[at] == '0' || text[at] == '.') {
            at--;
        }
        return at;
    }

    private int placeOf(int at) {
        return at < point ? point - 1 - at : point - at;
    }
}
