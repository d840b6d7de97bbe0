package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.value.ByteSlice;
import java.io.ByteArrayOutputStream;

/** Slices inside larger arrays, as a frame or an envelope gives them. */
public final class Slices {
    private static final byte[] BEFORE = {0, 0, 0, 0, 1, '[', '"'};
    private static final byte[] AFTER = {'"', ']', '}', ',', (byte) 0xff, 0};

    private Slices() {}

    /** These bytes in the middle of bytes that would show if they were read. */
    public static ByteSlice inside(byte[] bytes) {
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        array.writeBytes(BEFORE);
        array.writeBytes(bytes);
        array.writeBytes(AFTER);
        return ByteSlice.of(array.toByteArray(), BEFORE.length, BEFORE.length + bytes.length);
    }
}
