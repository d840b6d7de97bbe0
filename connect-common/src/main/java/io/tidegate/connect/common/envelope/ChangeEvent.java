package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.ByteSlice;
import java.util.List;

/**
 * The parts of a Debezium change event that a sink needs, as slices of JSON. A part that is missing or null is {@link
 * #NO_PART}.
 *
 * @param operation Debezium's letter
 * @param hasSchema whether the event says what its columns are
 * @param columns those whose JSON is not their value
 */
record ChangeEvent(
        char operation, ByteSlice before, ByteSlice after, ByteSlice source, boolean hasSchema, List<Column> columns) {
    static final char CREATE = 'c';
    static final char READ = 'r';
    static final char UPDATE = 'u';
    static final char DELETE = 'd';
    static final char TRUNCATE = 't';
    static final char MESSAGE = 'm';

    // No letters.
    static final char NO_VALUE = '0';
    static final char NO_OPERATION = '1';

    static final ByteSlice NO_PART = ByteSlice.of(new byte[0]);

    /** A record that only says that the row of its key is gone. */
    static final ChangeEvent TOMBSTONE = withoutOperation(NO_VALUE);

    /** An object without {@code op}. */
    static final ChangeEvent NONE = withoutOperation(NO_OPERATION);

    private static ChangeEvent withoutOperation(char mark) {
        return new ChangeEvent(mark, NO_PART, NO_PART, NO_PART, false, List.of());
    }
}
