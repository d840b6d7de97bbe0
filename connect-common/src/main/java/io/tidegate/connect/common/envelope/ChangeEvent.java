package io.tidegate.connect.common.envelope;

import java.util.List;
import org.apache.kafka.connect.data.SchemaAndValue;

/**
 * The parts of a Debezium change event that a sink needs, in the form in which they came: slices of JSON, {@code
 * Struct}s or maps. A part that is missing or null has a null value.
 *
 * @param operation Debezium's letter
 * @param jsonColumns names in UTF-8 of the columns that contain JSON as text, as the event's schema says
 */
record ChangeEvent(
        char operation, SchemaAndValue before, SchemaAndValue after, SchemaAndValue source, List<byte[]> jsonColumns) {
    static final char CREATE = 'c';
    static final char READ = 'r';
    static final char UPDATE = 'u';
    static final char DELETE = 'd';
    static final char TRUNCATE = 't';
    static final char MESSAGE = 'm';

    /** Of a record that is no event. */
    static final char NO_OPERATION = ' ';

    /** An event with nothing to write, beside Debezium's own. */
    static final ChangeEvent NOTHING = ofNoRow(MESSAGE);

    /** A record that only says that the row of its key is gone. */
    static final ChangeEvent TOMBSTONE = ofNoRow(NO_OPERATION);

    /** The schema name of a column whose text is JSON. */
    static final String JSON_NAME = "io.debezium.data.Json";

    private static ChangeEvent ofNoRow(char operation) {
        return new ChangeEvent(operation, SchemaAndValue.NULL, SchemaAndValue.NULL, SchemaAndValue.NULL, List.of());
    }
}
