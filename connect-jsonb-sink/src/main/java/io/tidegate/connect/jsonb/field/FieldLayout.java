package io.tidegate.connect.jsonb.field;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the fields of a table's documents go.
 *
 * @param fields that have a column, in the order of the columns
 * @param taken names of other fields that the row has elsewhere, such as its key
 * @param unknown where the rest goes
 * @param isRestRequired whether the column of the rest takes no NULL
 */
public record FieldLayout(
        List<DocumentField> fields, Set<String> taken, UnknownFields unknown, boolean isRestRequired) {
    public FieldLayout {
        fields = List.copyOf(fields);
        taken = Set.copyOf(taken);
        requireNonNull(unknown, "unknown");
    }

    /** What is done with a field that has no column but is in the row. */
    static final int TAKEN = -2;

    /** Places of the fields by the bytes of their names, and {@link #TAKEN}. */
    Map<ByteBuffer, Integer> places() {
        Map<ByteBuffer, Integer> places = new HashMap<>();
        taken.forEach(name -> places.put(key(name), TAKEN));
        for (int i = 0; i < fields.size(); i++) {
            places.put(key(fields.get(i).name()), i);
        }
        return places;
    }

    private static ByteBuffer key(String name) {
        return ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
    }
}
