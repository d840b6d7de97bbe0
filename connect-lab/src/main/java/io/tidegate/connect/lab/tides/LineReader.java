package io.tidegate.connect.lab.tides;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the lines of a stream as bytes, so that a line is passed on unchanged in any encoding. Holds one buffer and one
 * line. A line must not be longer than the largest record that a broker accepts by default.
 */
final class LineReader {
    static final int MAX_LINE_BYTES = 1_000_000;

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int position;
    private int end;
    private long number;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line. Returns false at the end. */
    boolean next() throws IOException {
        line.reset();
        number++;
        boolean any = false;
        while (position < end || fill()) {
            any = true;
            int newline = indexOfNewline();
            take(newline);
            if (newline < end) {
                position = newline + 1;
                return true;
            }
            position = end;
        }
        return any;
    }

    byte[] line() {
        return line.toByteArray();
    }

    /** The number of the current line, from 1. */
    long number() {
        return number;
    }

    private void take(int until) throws TooLongException {
        if (line.size() + until - position > MAX_LINE_BYTES) {
            throw new TooLongException(number);
        }
        line.write(buffer, position, until - position);
    }

    private boolean fill() throws IOException {
        position = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    private int indexOfNewline() {
        int at = position;
        while (at < end && buffer[at] != '\n') {
            at++;
        }
        return at;
    }

    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        private final long line;

        TooLongException(long line) {
            super("a line is longer than " + MAX_LINE_BYTES + " bytes");
            this.line = line;
        }

        long line() {
            return line;
        }
    }
}
