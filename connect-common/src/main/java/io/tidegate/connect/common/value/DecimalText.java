package io.tidegate.connect.common.value;

import java.nio.charset.StandardCharsets;

/**
 * A decimal number as text, such as {@code -12.50e3}, in the usual forms. One thread; it is used again for the next
 * number.
 */
public final class DecimalText {
    /** Longer numbers, and larger exponents, are rare. */
    private static final int MOST_DIGITS = 1_000;

    static final int LONG_DIGITS = 18; // every number of so many digits is a long
    private static final int EXACT_DOUBLE_DIGITS = 15;
    private static final int TEN = 10;

    /** The bits of a double that a float has not. */
    private static final long DROPPED_BITS = (1L << 29) - 1;

    private static final long MIDDLE = 1L << 28;

    private static final double[] EXACT_POWERS = new double[23]; // a double holds the powers of ten up to 22 exactly

    static {
        double power = 1;
        for (int i = 0; i < EXACT_POWERS.length; i++, power *= TEN) {
            EXACT_POWERS[i] = power;
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
    public boolean read(byte[] bytes, int start, int end) {
        return readDigits(bytes, start, end) && (digitsTo == end || readExponent(digitsTo));
    }

    /**
     * Reads the JSON number that starts here.
     *
     * @param limit the end of the text around it
     * @return the index after it; negative if there is something else, or a number with an exponent or many digits
     */
    public int readJson(byte[] bytes, int start, int limit) {
        if (!readDigits(bytes, start, limit) || digitsTo == limit) {
            return -1;
        }
        to = digitsTo;
        boolean hasLeadingZero = bytes[digitsFrom] == '0' && point > digitsFrom + 1;
        boolean hasExponent = bytes[to] == 'e' || bytes[to] == 'E';
        return hasLeadingZero || hasExponent ? -1 : to;
    }

    /** Reads what comes before an exponent. */
    private boolean readDigits(byte[] bytes, int start, int end) {
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
        return digitsTo - digitsFrom <= MOST_DIGITS;
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
    public boolean isLong() {
        return digitsTo == to && point == to && digits <= LONG_DIGITS;
    }

    public long asLong() {
        return isNegative ? -mantissa : mantissa;
    }

    /** The nearest double; NaN if it is out of range. */
    public double asDouble() {
        int power = exponent - fraction;
        if (digits <= EXACT_DOUBLE_DIGITS && Math.abs(power) < EXACT_POWERS.length) {
            double value = power < 0 ? mantissa / EXACT_POWERS[-power] : mantissa * EXACT_POWERS[power];
            return isNegative ? -value : value;
        }
        double value = Double.parseDouble(ascii());
        return Double.isInfinite(value) || (value == 0 && digits > 0) ? Double.NaN : value;
    }

    /** The nearest float; NaN if it is out of range. */
    public float asFloat() {
        int power = exponent - fraction;
        float near = digits <= LONG_DIGITS ? nearestFloat(mantissa, power) : Float.NaN;
        if (!Float.isNaN(near)) {
            return isNegative ? -near : near;
        }
        float value = Float.parseFloat(ascii());
        return Float.isInfinite(value) || (value == 0 && digits > 0) ? Float.NaN : value;
    }

    /**
     * The float nearest to digits and a power of ten, by way of a double; NaN if that may be another one. The double is
     * off by two of its smallest steps at most: it is rounded twice, each time by half a step, and its magnitude can halve
     * between. So it must not be so near to the middle of two floats.
     *
     * @param digits at most 18 of them
     */
    static float nearestFloat(long digits, int power) {
        if (digits == 0) {
            return 0;
        }
        if (Math.abs(power) >= EXACT_POWERS.length) {
            return Float.NaN;
        }
        double value = power < 0 ? digits / EXACT_POWERS[-power] : digits * EXACT_POWERS[power];
        long dropped = Double.doubleToRawLongBits(value) & DROPPED_BITS;
        boolean isSafe = Math.abs(dropped - MIDDLE) > 2 && value >= Float.MIN_NORMAL && value < Float.MAX_VALUE;
        return isSafe ? (float) value : Float.NaN;
    }

    private String ascii() {
        return new String(text, from, to - from, StandardCharsets.US_ASCII);
    }

    public boolean isNegative() {
        return isNegative;
    }

    /** Digits without the leading zeros; 0 for zero. */
    public int digits() {
        return digits;
    }

    /** Digits behind the point, if it is written without an exponent. */
    public int scale() {
        return Math.max(0, fraction - exponent);
    }

    /** The power of ten of the first digit that is not zero. */
    public int firstPlace() {
        int first = firstDigit();
        return (first < point ? point - 1 - first : point - first) + exponent;
    }

    /** From the first to the last digit that is not zero, with a point if one is between them. */
    public ByteSlice significant() {
        return ByteSlice.of(text, firstDigit(), lastDigit() + 1);
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
}
