package io.tidegate.connect.elasticsearch.bulk;

import io.tidegate.connect.common.value.ByteSlice;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An array that grows and is reused. One lane's thread uses it. */
final class ByteBuilder extends OutputStream {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int MAX_DIGITS = 20;

    /** If no use fills a quarter of the array in this many uses, the array is replaced by a smaller one. */
    static final int USES_UNTIL_SHRUNK = 16;

    private static final int ROOMY = 4;

    private final int firstCapacity;
    private byte[] bytes;
    private int length;
    private int uses; // since the array's size was last checked
    private int mostUsed; // in these uses

    ByteBuilder(int firstCapacity) {
        this.firstCapacity = firstCapacity;
        this.bytes = new byte[firstCapacity];
    }

    byte[] array() {
        return bytes;
    }

    /** What was appended; valid until the next change. */
    ByteSlice slice() {
        return ByteSlice.of(bytes, 0, length);
    }

    int length() {
        return length;
    }

    /** Removes everything after this length. */
    void truncate(int newLength) {
        length = newLength;
    }

    /** Starts over, in a smaller array if the current one has long been far too large. */
    void clear() {
        mostUsed = Math.max(mostUsed, length);
        uses++;
        if (uses == USES_UNTIL_SHRUNK) {
            if (bytes.length > firstCapacity && mostUsed < bytes.length / ROOMY) {
                bytes = new byte[Math.max(firstCapacity, 2 * mostUsed)];
            }
            uses = 0;
            mostUsed = 0;
        }
        length = 0;
    }

    /** Starts over in a new array, because the current one may still be read. */
    void abandon() {
        bytes = new byte[firstCapacity];
        length = 0;
    }

    @Override
    public void write(int b) {
        append((byte) b);
    }

    @Override
    public void write(byte[] more, int offset, int count) {
        append(more, offset, count);
    }

    void append(byte b) {
        ensure(1);
        bytes[length++] = b;
    }

    void append(byte[] more) {
        append(more, 0, more.length);
    }

    void append(ByteSlice more) {
        append(more.array(), more.from(), more.length());
    }

    void append(byte[] more, int offset, int count) {
        ensure(count);
        System.arraycopy(more, offset, bytes, length, count);
        length += count;
    }

    /** Puts bytes at this place and moves what is behind it. */
    void insert(int at, ByteBuilder more) {
        replace(at, at, more);
    }

    /** Puts bytes in the place of others. */
    void replace(int from, int to, ByteBuilder more) {
        int grown = more.length - (to - from);
        ensure(Math.max(grown, 0));
        System.arraycopy(bytes, to, bytes, from + more.length, length - to);
        System.arraycopy(more.bytes, 0, bytes, from, more.length);
        length += grown;
    }

    /** Appends decimal digits. */
    void append(long number) {
        ensure(MAX_DIGITS);
        if (number < 0) {
            append(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    /** Appends bytes as the content of a JSON string, with escapes. UTF-8 passes through. */
    void appendEscaped(byte[] utf8) {
        ensure(6 * utf8.length);
        for (byte b : utf8) {
            if (b == '"' || b == '\\') {
                bytes[length++] = '\\';
                bytes[length++] = b;
            } else if (b >= 0 && b < ' ') {
                appendUnicodeEscape(b);
            } else {
                bytes[length++] = b;
            }
        }
    }

    private void appendUnicodeEscape(byte b) {
        bytes[length++] = '\\';
        bytes[length++] = 'u';
        bytes[length++] = '0';
        bytes[length++] = '0';
        bytes[length++] = HEX[b >> 4];
        bytes[length++] = HEX[b & 0xf];
    }

    /**
     * Makes room for more bytes.
     *
     * @throws OutOfMemoryError when an array cannot hold them
     */
    private void ensure(int more) {
        int needed = length + more;
        if (needed < 0) {
            throw new OutOfMemoryError("a bulk request of more than 2 GB");
        }
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * bytes.length)));
        }
    }
}
