package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * A vendor's form of change events: it says what a record does, and makes a record with the row as its value from it.
 * The task thread asks it before the record is mapped, so that every rule reads the row.
 */
public interface Envelope {
    /**
     * What a record does. Its value may be null.
     *
     * @throws RefusedException when it is no change event, or one that must not be written
     */
    Change open(SinkRecord record);

    /** What a record does. */
    enum Kind {
        /** It writes a row. */
        WRITE,
        /** It changes a row that exists: columns are left out, which only the older row has. */
        MERGE,
        /** It deletes a row. */
        DELETE,
        /** It does nothing. */
        SKIP
    }

    /**
     * A change of a row.
     *
     * @param record with the row as its value, in JSON; for a deletion the row as it was, or null
     * @param position of the change in the source's log, or {@link Document#NO_POSITION}
     * @param row the schema of a row that is written, if Connect knew it
     */
    record Change(Kind kind, SinkRecord record, long position, Optional<Schema> row) {
        public Change {
            requireNonNull(kind, "kind");
            requireNonNull(record, "record");
            requireNonNull(row, "row");
        }

        public static Change write(SinkRecord record, long position, Optional<Schema> row) {
            return new Change(Kind.WRITE, record, position, row);
        }

        /** The same change of a row that lacks columns. */
        public Change ofPart() {
            return new Change(Kind.MERGE, record, position, row);
        }

        public static Change delete(SinkRecord record, long position) {
            return new Change(Kind.DELETE, record, position, Optional.empty());
        }

        public static Change skip(SinkRecord record) {
            return new Change(Kind.SKIP, record, Document.NO_POSITION, Optional.empty());
        }
    }
}
