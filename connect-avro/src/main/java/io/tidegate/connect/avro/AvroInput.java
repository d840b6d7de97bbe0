package io.tidegate.connect.avro;

import io.tidegate.connect.common.value.ByteSlice;

/**
 * Avro's binary encoding (Avro 1.12 specification, "Binary Encoding"). It never reads beyond the payload, whatever the
 * payload says. One thread uses it.
 */
final class AvroInput {
    private static final int MOST_INT_BYTES = 5;
    private static final int MOST_LONG_BYTES = 10;

    private byte[] bytes = new byte[0];
    private int at;
    private int to;

    void reset(ByteSlice payload) {
        bytes = payload.array();
        at = payload.from();
        to = payload.to();
    }

    /** The array below; see {@link #skip}. */
    byte[] array() {
        return bytes;
    }

    int remaining() {
        return to - at;
    }

    /** Goes over some bytes and returns the index of the first in {@link #array()}. */
    int skip(int length) {
        if (length > to - at) {
            throw new UnfitException("it is cut off");
        }
        int from = at;
        at += length;
        return from;
    }

    boolean readBoolean() {
        int truth = bytes[skip(1)];
        if ((truth & ~1) != 0) {
            throw new UnfitException("a boolean is neither 0 nor 1");
        }
        return truth == 1;
    }

    int readInt() {
        return (int) readVariable(MOST_INT_BYTES, "an int");
    }

    long readLong() {
        if (at < to && bytes[at] >= 0) { // most numbers that are not data: branches, lengths, counts
            long one = bytes[at++];
            return (one >>> 1) ^ -(one & 1);
        }
        return readVariable(MOST_LONG_BYTES, "a long");
    }

    private long readVariable(int mostBytes, String what) {
        long zigZag = 0;
        int last = Math.min(to, at + mostBytes);
        for (int shift = 0; at < last; shift += 7) {
            int one = bytes[at++];
            zigZag |= (one & 0x7fL) << shift;
            if (one >= 0) {
                long all = mostBytes == MOST_INT_BYTES ? zigZag & 0xffff_ffffL : zigZag;
                return (all >>> 1) ^ -(all & 1);
            }
        }
        throw new UnfitException(at == to ? "it is cut off" : what + " has too many bytes");
    }

    float readFloat() {
        return Float.intBitsToFloat(littleEndian(skip(Float.BYTES)));
    }

    double readDouble() {
        int from = skip(Double.BYTES);
        long low = littleEndian(from) & 0xffff_ffffL;
        return Double.longBitsToDouble(low | ((long) littleEndian(from + Integer.BYTES) << Integer.SIZE));
    }

    private int littleEndian(int from) {
        return (bytes[from] & 0xff)
                | ((bytes[from + 1] & 0xff) << 8)
                | ((bytes[from + 2] & 0xff) << 16)
                | (bytes[from + 3] << 24);
    }

    /** The length of a text or of bytes, which are there. */
    int readLength() {
        long length = readLong();
        if (length < 0 || length > to - at) {
            throw new UnfitException("a length is " + length + ", and " + (to - at) + " bytes are left");
        }
        return (int) length;
    }

    /** The number of a union's branch or of an enumeration's symbol. */
    int readIndex(int size, String what) {
        long index = readLong();
        if (index < 0 || index >= size) {
            throw new UnfitException(what + " is number " + index + " of " + size);
        }
        return (int) index;
    }

    /**
     * The number of items in the next block of an array or map, 0 at the end. It may be larger than what follows: who
     * reads the items finds that out, or the output gets too large.
     */
    long readBlockCount() {
        long count = readLong();
        if (count < 0) {
            readLong(); // the block's size, for readers that skip it
            count = -count;
            if (count < 0) {
                throw new UnfitException("a block has an impossible number of items");
            }
        }
        return count;
    }
}
