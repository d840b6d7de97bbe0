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
    private final byte[][] names;
    private int[] expected = new int[0];

    /**
     * Of fields.
     *
     * @param names of those with a column, in the order of their places
     * @param taken names of others that are in the row
     */
    FieldPlaces(List<String> names, Collection<String> taken) {
        this.names = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        taken.forEach(name -> places.put(ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8)), TAKEN));
        for (int i = 0; i < this.names.length; i++) {
            places.put(ByteBuffer.wrap(this.names[i]), i);
        }
    }

    /**
     * The place of the field at the cursor.
     *
     * @param member how many fields of the document were before
     */
    int of(JsonCursor cursor, int member) {
        if (member == expected.length) {
            expected = Arrays.copyOf(expected, 2 * member + 1);
        }
        int guess = expected[member];
        if (guess < names.length && cursor.isNamed(names[guess])) {
            return guess;
        }
        ByteBuffer name = cursor.isNameEscaped()
                ? ByteBuffer.wrap(cursor.nameText().getBytes(StandardCharsets.UTF_8))
                : ByteBuffer.wrap(cursor.text(), cursor.nameFrom(), cursor.nameTo() - cursor.nameFrom());
        int place = places.getOrDefault(name, NONE);
        if (place >= 0) {
            expected[member] = place;
        }
        return place;
    }
}
