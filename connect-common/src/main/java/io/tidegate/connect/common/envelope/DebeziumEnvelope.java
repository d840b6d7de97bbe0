package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Debezium's change events. What is written is {@code after}; from JSON it is a part of the value's own bytes. A
 * deletion has {@code before} as its value, so that rules can read its fields. The task thread uses it.
 */
final class DebeziumEnvelope implements Envelope {
    /** A value that is not JSON was fetched in about as many bytes as so many of its rows have. */
    private static final int FETCHED_ROWS = 4;

    private final EnvelopeSettings settings;
    private final KeyForm keyForm;
    private final boolean isPositionNeeded;
    private final boolean deletesByTombstone;
    private final JsonEncoder encoder;
    private final RowColumns columns;
    private final JsonEvents jsonEvents = new JsonEvents();
    private final RecordKeys keys = new RecordKeys();
    private final SourcePosition positions = new SourcePosition();

    DebeziumEnvelope(
            EnvelopeSettings settings,
            KeyForm keyForm,
            boolean isPositionNeeded,
            boolean deletesByTombstone,
            FieldDefaults defaults) {
        this.settings = requireNonNull(settings, "settings");
        this.keyForm = requireNonNull(keyForm, "keyForm");
        this.isPositionNeeded = isPositionNeeded;
        this.deletesByTombstone = deletesByTombstone;
        this.encoder = new JsonEncoder(defaults);
        this.columns = new RowColumns(settings.unavailable(), JsonColumns.of(settings.jsonColumns()));
    }

    @Override
    public Change open(SinkRecord record) {
        ChangeEvent event = eventIn(record);
        return switch (event.operation()) {
            case ChangeEvent.CREATE, ChangeEvent.READ, ChangeEvent.UPDATE -> write(record, event);
            case ChangeEvent.DELETE -> delete(record, event);
            case ChangeEvent.TRUNCATE -> truncate(record);
            case ChangeEvent.MESSAGE -> Change.skip(record);
            case ChangeEvent.NO_OPERATION -> tombstone(record);
            default -> throw NotAnEvent.because("its `op` is none of c, r, u, d, t and m");
        };
    }

    private ChangeEvent eventIn(SinkRecord record) {
        Object value = record.value();
        if (value == null) {
            return ChangeEvent.TOMBSTONE;
        }
        if (value instanceof Struct event) {
            return ConnectEvents.read(record.topic(), event);
        }
        if (value instanceof Map<?, ?> event) {
            return ConnectEvents.read(record.topic(), event);
        }
        return jsonEvents.read(record.topic(), jsonOf(value));
    }

    private static ByteSlice jsonOf(Object value) {
        if (value instanceof ByteSlice json) {
            return json;
        }
        if (value instanceof byte[] || value instanceof String || value instanceof ByteBuffer) {
            return ByteSlice.of(ScalarText.bytesOf(value).orElseThrow());
        }
        throw NotAnEvent.because("it is a " + value.getClass().getSimpleName());
    }

    private Change write(SinkRecord record, ChangeEvent event) {
        if (event.after().value() == null) {
            throw NotAnEvent.because("it has no `after`, and a row was written");
        }
        ByteSlice row = columns.document(
                json("after", event.after()), event.jsonColumns(), event.operation() == ChangeEvent.UPDATE);
        return Change.write(withRow(record, row), positionOf(event), bytesBeside(record, row));
    }

    private Change delete(SinkRecord record, ChangeEvent event) {
        if (event.before().value() == null) {
            return Change.delete(withRow(record, null), positionOf(event), 0);
        }
        ByteSlice row = json("before", event.before());
        return Change.delete(withRow(record, row), positionOf(event), row.array().length + bytesBeside(record, row));
    }

    /** A row as JSON, which is an object. */
    private ByteSlice json(String part, SchemaAndValue row) {
        ByteSlice json = encoder.encode(row.schema(), row.value());
        if (json.array()[json.from()] != '{') {
            throw NotAnEvent.because("its `" + part + "` is no object");
        }
        return json;
    }

    private Change truncate(SinkRecord record) {
        if (settings.truncates() == Truncates.IGNORE) {
            return Change.skip(record);
        }
        throw new RefusedException("the source's table was emptied with TRUNCATE, and this is not done here: empty the"
                + " destination yourself, then see " + EnvelopeSettings.TRUNCATES);
    }

    /** After a deletion Debezium sends a tombstone; log compaction may leave nothing else of it. */
    private Change tombstone(SinkRecord record) {
        return deletesByTombstone ? Change.delete(withRow(record, null), Document.NO_POSITION, 0) : Change.skip(record);
    }

    private long positionOf(ChangeEvent event) {
        if (!isPositionNeeded) {
            return Document.NO_POSITION;
        }
        long position = positions.of(event.source().value());
        if (position == Document.NO_POSITION) {
            throw new RefusedException("the change event has no position in the source's log that can be compared: its"
                    + " `source` has no lsn (PostgreSQL), file and pos (MySQL, MariaDB) or ts_ms");
        }
        return position;
    }

    /** What the consumer fetched stays on the heap, too, if the row is not a part of it. An estimate. */
    private static int bytesBeside(SinkRecord record, ByteSlice row) {
        Object value = record.value();
        if (value instanceof ByteSlice json) {
            return json.array() == row.array() ? 0 : json.array().length;
        }
        if (value instanceof byte[] json) {
            return json == row.array() ? 0 : json.length;
        }
        return FETCHED_ROWS * row.length();
    }

    /** The record with another value and the key in its form. */
    private SinkRecord withRow(SinkRecord record, ByteSlice row) {
        Object key = keys.in(keyForm, record.key());
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                key instanceof Struct || key instanceof Map ? record.keySchema() : null,
                key,
                null,
                row,
                record.timestamp(),
                record.headers());
    }
}
