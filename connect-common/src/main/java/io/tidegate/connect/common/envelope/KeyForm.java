package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a sink makes of the key of a change event, which is an object with the columns of the primary key.
 *
 * @param isText whether all columns become one text: that of the only column, or a JSON array of the texts of several
 * @param column the column that alone becomes the key's text, if the key has it
 */
public record KeyForm(boolean isText, Optional<String> column) {
    /** The object itself; the sink reads its columns by their names. */
    public static final KeyForm OBJECT = new KeyForm(false, Optional.empty());

    /** One text of all columns. */
    public static final KeyForm TEXT = new KeyForm(true, Optional.empty());

    public KeyForm {
        requireNonNull(column, "column");
    }

    /** The text of this column; an object without it stays as it is. */
    public static KeyForm of(String column) {
        return new KeyForm(false, Optional.of(column));
    }
}
