package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.ByteSlice;
import java.util.Arrays;

/**
 * Looks for a text as Horspool does: the byte at the end of a place says how far the next possible place is, so most
 * bytes are never read. Immutable.
 */
final class ByteSearch {
    private final byte[] searched;
    private final int[] steps = new int[256];

    ByteSearch(byte[] searched) {
        this.searched = searched.clone();
        Arrays.fill(steps, searched.length);
        for (int i = 0; i < searched.length - 1; i++) {
            steps[searched[i] & 0xff] = searched.length - 1 - i;
        }
    }

    boolean isIn(ByteSlice text) {
        byte[] bytes = text.array();
        int last = searched.length - 1;
        for (int i = text.from() + last; i < text.to(); i += steps[bytes[i] & 0xff]) {
            if (bytes[i] == searched[last] && Arrays.equals(bytes, i - last, i + 1, searched, 0, searched.length)) {
                return true;
            }
        }
        return false;
    }
}
