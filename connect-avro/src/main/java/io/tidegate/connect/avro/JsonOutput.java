package io.tidegate.connect.avro;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * JSON in UTF-8, in the forms that {@link io.tidegate.connect.common.document.JsonEncoder} gives to values of
 * converters. It is bounded, because a few bytes of Avro may stand for endless values without bytes. One thread uses it.
 */
final class JsonOutput {
    static final int MAX_BYTES = 64 << 20;
    /** As deep as Jackson writes. */
    static final int MAX_DEPTH = 1_000;
    /** About 9,800 digits. */
    static final int MAX_DECIMAL_BYTES = 4 << 10;
    /** The largest scale that Jackson writes, positive or negative. */
    static final int MAX_SCALE = 9_999;

    private static final int KEPT_CAPACITY = 1 << 20;
    private static final int MOST_LONG_DIGITS = 20;
    private static final byte[] NULL = ascii("null");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] LOWEST = ascii(Long.toString(Long.MIN_VALUE));
    private static final byte[] HEX = ascii("0123456789ABCDEF");
    private static final byte[] ESCAPES = new byte[0x20]; // the letter behind the backslash, if there is one

    static {
        ESCAPES['\b'] = 'b';
        ESCAPES['\t'] = 't';
        ESCAPES['\n'] = 'n';
        ESCAPES['\f'] = 'f';
        ESCAPES['\r'] = 'r';
    }

    private byte[] buffer = new byte[4 << 10];
    private int length;
    private int depth;

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Starts a new document. */
    void reset() {
        if (buffer.length > KEPT_CAPACITY) {
            buffer = new byte[KEPT_CAPACITY]; // a single large value must not keep its buffer
        }
        length = 0;
        depth = 0;
    }

    /** Whether null is all that was written. */
    boolean isNull() {
        return Arrays.equals(buffer, 0, length, NULL, 0, NULL.length);
    }

    /** A copy of the document. */
    ByteSlice document() {
        return ByteSlice.of(Arrays.copyOf(buffer, length));
    }

    private void reserve(int more) {
        if (more > buffer.length - length) {
            grow(more);
        }
    }

    private void grow(int more) {
        long needed = (long) length + more;
        if (needed > MAX_BYTES) {
            throw new UnfitException("its JSON has more than " + MAX_BYTES + " bytes");
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * buffer.length)));
    }

    void raw(int one) {
        reserve(1);
        buffer[length++] = (byte) one;
    }

    void raw(byte[] json) {
        raw(json, 0, json.length);
    }

    private void raw(byte[] json, int from, int to) {
        reserve(to - from);
        System.arraycopy(json, from, buffer, length, to - from);
        length += to - from;
    }

    /** Starts an object or array. */
    void open(int bracket) {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new UnfitException("it is nested deeper than " + MAX_DEPTH + " levels");
        }
        raw(bracket);
    }

    void close(int bracket) {
        depth--;
        raw(bracket);
    }

    void nothing() {
        raw(NULL);
    }

    void truth(boolean truth) {
        raw(truth ? TRUE : FALSE);
    }

    void number(long number) {
        if (number == Long.MIN_VALUE) {
            raw(LOWEST);
            return;
        }
        reserve(MOST_LONG_DIGITS);
        long positive = number;
        if (number < 0) {
            buffer[length++] = '-';
            positive = -number;
        }
        digits(positive, countOfDigits(positive));
    }

    private static int countOfDigits(long positive) {
        int count = 1;
        for (long bound = 10; count < MOST_LONG_DIGITS - 1 && positive >= bound; bound *= 10) {
            count++;
        }
        return count;
    }

    /** So many last digits of a number, with zeros before them. There must be room. */
    private void digits(long positive, int count) {
        long rest = positive;
        for (int i = length + count - 1; i >= length; i--) {
            long tenth = rest / 10;
            buffer[i] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        length += count;
    }

    /** So many last digits of a number, with zeros before them. */
    void padded(int positive, int count) {
        reserve(count);
        digits(positive, count);
    }

    void number(double number) {
        if (!Double.isFinite(number)) {
            throw new UnfitException("it holds the number " + number + ", which JSON cannot express");
        }
        raw(ascii(Double.toString(number)));
    }

    void number(float number) {
        if (!Float.isFinite(number)) {
            throw new UnfitException("it holds the number " + number + ", which JSON cannot express");
        }
        raw(ascii(Float.toString(number)));
    }

    /** A decimal without an exponent, from the bytes of its digits as a whole number. */
    void decimal(byte[] bytes, int from, int to, int scale) {
        int size = to - from;
        if (size == 0) {
            throw new UnfitException("a decimal has no bytes");
        }
        if (size > MAX_DECIMAL_BYTES) {
            throw new UnfitException("a decimal has " + size + " bytes; at most " + MAX_DECIMAL_BYTES + " are written");
        }
        if (size < Long.BYTES && scale >= 0 && scale < MOST_LONG_DIGITS - 2) {
            long unscaled = bytes[from];
            for (int i = from + 1; i < to; i++) {
                unscaled = (unscaled << 8) | (bytes[i] & 0xff);
            }
            shortDecimal(unscaled, scale);
        } else {
            BigInteger unscaled = new BigInteger(bytes, from, size);
            raw(ascii(new BigDecimal(unscaled, scale).toPlainString()));
        }
    }

    private void shortDecimal(long unscaled, int scale) {
        reserve(2 * MOST_LONG_DIGITS);
        if (unscaled < 0) {
            buffer[length++] = '-';
        }
        long positive = Math.abs(unscaled);
        int count = Math.max(countOfDigits(positive), scale + 1);
        digits(positive, count);
        if (scale > 0) {
            System.arraycopy(buffer, length - scale, buffer, length - scale + 1, scale);
            buffer[length - scale] = '.';
            length++;
        }
    }

    /** A string from its UTF-8. Bytes that are not UTF-8 become U+FFFD, as Java decodes them. */
    void text(byte[] bytes, int from, int to) {
        int start = length;
        raw('"');
        int copied = from;
        int at = from;
        while (at < to) {
            int one = bytes[at];
            if (one >= 0x20 && one != '"' && one != '\\') {
                at++;
            } else if (one < 0) {
                int size = Utf8.lengthOfCharacter(bytes, at, to);
                if (size == 0) {
                    length = start;
                    text(new String(bytes, from, to - from, StandardCharsets.UTF_8));
                    return;
                }
                at += size;
            } else {
                raw(bytes, copied, at);
                escape(one);
                at++;
                copied = at;
            }
        }
        raw(bytes, copied, to);
        raw('"');
    }

    void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        text(utf8, 0, utf8.length);
    }

    private void escape(int one) {
        reserve(6);
        buffer[length++] = '\\';
        if (one >= 0x20) {
            buffer[length++] = (byte) one;
        } else if (ESCAPES[one] != 0) {
            buffer[length++] = ESCAPES[one];
        } else {
            buffer[length++] = 'u';
            buffer[length++] = '0';
            buffer[length++] = '0';
            buffer[length++] = HEX[one >> 4];
            buffer[length++] = HEX[one & 0xf];
        }
    }

    /** Bytes as a string in Base64 with padding (RFC 4648, section 4). */
    void base64(byte[] bytes, int from, int to) {
        raw('"');
        raw(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, to)));
        raw('"');
    }
}
