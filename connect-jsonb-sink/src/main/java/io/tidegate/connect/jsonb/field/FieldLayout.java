package io.tidegate.connect.jsonb.field;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import java.util.List;
import java.util.Set;

/**
 * Where the fields of a table's documents go.
 *
 * @param fields that have a column, in the order of the columns
 * @param taken names of other fields that the row has elsewhere, such as its key
 * @param closed names of columns that take no field
 * @param unknown where the rest goes
 * @param isRestRequired whether the column of the rest takes no NULL
 * @param areTextsRead see {@link io.tidegate.connect.jsonb.settings.FieldSettings}
 * @param characters what happens to those of such a text that cannot be stored
 */
public record FieldLayout(
        List<DocumentField> fields,
        Set<String> taken,
        Set<String> closed,
        UnknownFields unknown,
        boolean isRestRequired,
        boolean areTextsRead,
        UnstorableCharacters characters) {
    public FieldLayout {
        fields = List.copyOf(fields);
        taken = Set.copyOf(taken);
        closed = Set.copyOf(closed);
        requireNonNull(unknown, "unknown");
        requireNonNull(characters, "characters");
    }

    /** Where each of the fields is found. */
    FieldPlaces places() {
        return new FieldPlaces(fields.stream().map(DocumentField::name).toList(), taken);
    }
}
