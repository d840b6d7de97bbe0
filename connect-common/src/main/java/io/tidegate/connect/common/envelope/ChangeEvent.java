package io.tidegate.connect.common.envelope;

import io.tidegate.connect.common.value.ByteSlice;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;

/**
 * The parts of a Debezium change event that a sink needs, as slices of JSON. A part that is missing or null is {@link
 * #NO_PART}.
 *
 * @param operation Debezium's letter
 * @param columns those whose JSON is not their value
 * @param row the schema of all columns, if the event has one
 */
record ChangeEvent(
        char operation,
        ByteSlice before,
        ByteSlice after,
        ByteSlice source,
        List<Column> columns,
        Optional<Schema> row) {
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
        return new ChangeEvent(mark, NO_PART, NO_PART, NO_PART, List.of(), Optional.empty());
    }
}
