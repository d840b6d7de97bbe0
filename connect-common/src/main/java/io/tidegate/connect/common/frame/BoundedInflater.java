package io.tidegate.connect.common.frame;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates zlib's format up to a bound. One thread uses it. */
final class BoundedInflater {
    private static final int FIRST_CAPACITY = 16 << 10;

    private final int maxBytes;
    private final Inflater inflater = new Inflater();
    private byte[] buffer = new byte[FIRST_CAPACITY];

    BoundedInflater(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * The inflated bytes.
     *
     * @throws DataFormatException when it is not zlib's format, is cut off, or inflates to more than the bound; the
     *     message says which
     */
    byte[] inflate(byte[] bytes, int from, int to) throws DataFormatException {
        try {
            inflater.setInput(bytes, from, to - from);
            int length = 0;
            while (!inflater.finished()) {
                if (length == buffer.length) {
                    grow();
                }
                int more = inflater.inflate(buffer, length, buffer.length - length);
                if (more == 0 && !inflater.finished()) {
                    throw new DataFormatException("it is cut off");
                }
                length += more;
            }
            return Arrays.copyOf(buffer, length);
        } catch (DataFormatException e) {
            throw e.getMessage() == null ? new DataFormatException("it is damaged") : e;
        } finally {
            inflater.reset();
            if (buffer.length > FIRST_CAPACITY) {
                buffer = new byte[FIRST_CAPACITY]; // a single large value must not keep its buffer
            }
        }
    }

    private void grow() throws DataFormatException {
        if (buffer.length >= maxBytes) {
            throw new DataFormatException("it inflates to more than " + maxBytes + " bytes");
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(maxBytes, 2L * buffer.length));
    }
}
