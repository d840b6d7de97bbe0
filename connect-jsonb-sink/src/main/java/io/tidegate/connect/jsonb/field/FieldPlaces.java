package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.value.JsonCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the places of fields by their names. It expects them in the order of the document before. One thread. */
final class FieldPlaces {
    /** The place of a field that has no column. */
    static final int NONE = -1;

    /** The place of a field that has no column but is in the row. */
    static final int TAKEN = -2;

    private final Map<ByteBuffer, Integer> places = new HashMap<>();
    private final byte[][] starts; // of members, by place: the quoted name and the colon; null where it needs escapes
    private int[] expected = new int[0];
    private int place = NONE;

    /**
     * Of fields.
     *
     * @param names of those with a column, in the order of their places
     * @param taken names of others that are in the row
     */
    FieldPlaces(List<String> names, Collection<String> taken) {
        this.starts = new byte[names.size()][];
        taken.forEach(name -> places.put(ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)), TAKEN));
        for (int i = 0; i < starts.length; i++) {
            String name = names.get(i);
            places.put(ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)), i);
            boolean isPlain = name.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
            starts[i] = isPlain ? ('"' + name + "\":").getBytes(StandardCharsets.UTF_8) : null;
        }
    }

    /**
     * Goes to the next field of the object at the cursor.
     *
     * @param member how many fields were before
     * @return whether there is one
     */
    boolean next(JsonCursor cursor, int member) {
        if (member == expected.length) {
            expected = Arrays.copyOf(expected, 2 * member + 1);
        }
        int guess = expected[member];
        byte[] start = guess < starts.length ? starts[guess] : null;
        if (!(start == null ? cursor.next() : cursor.next(start))) {
            return false;
        }
        place = start != null && cursor.isExpected() ? guess : find(cursor, member);
        return true;
    }

    private int find(JsonCursor cursor, int member) {
        ByteBuffer name = cursor.isNameEscaped()
                ? ByteBuffer.wrap(cursor.nameText().getBytes(StandardCharsets.UTF_8))
                : ByteBuffer.wrap(cursor.text(), cursor.nameFrom(), cursor.nameTo() - cursor.nameFrom());
        int found = places.getOrDefault(name, NONE);
        if (found >= 0) {
            expected[member] = found;
        }
        return found;
    }

    /** The place of the field at the cursor. */
    int place() {
        return place;
    }
}
