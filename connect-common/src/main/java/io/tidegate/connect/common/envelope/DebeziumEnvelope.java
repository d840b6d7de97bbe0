package io.tidegate.connect.common.envelope;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.JsonEncoder;
import io.tidegate.connect.common.document.RowPlace;
import io.tidegate.connect.common.document.ScalarText;
import io.tidegate.connect.common.envelope.EnvelopeSettings.KeyForm;
import io.tidegate.connect.common.envelope.EnvelopeSettings.Truncates;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Debezium's change events. What is written is {@code after}; from JSON it is a part of the value's own bytes. A
 * deletion has {@code before} as its value, so that rules can read its fields. The task thread uses it.
 */
final class DebeziumEnvelope implements Envelope {
    private static final List<String> PARTS = List.of("op", "before", "after", "source");

    private static final Logger log = LoggerFactory.getLogger(DebeziumEnvelope.class);

    private final EnvelopeSettings settings;
    private final KeyForm keyForm;
    private final boolean isPositionNeeded;
    private final Predicate<SinkRecord> deletesByTombstone;
    private final List<RowPlace> places;
    private final JsonEncoder encoder;
    private final RowColumns columns;
    private final RecordKeys keys;
    private final JsonEvents events = new JsonEvents();
    private final SourcePosition positions = new SourcePosition();
    private final Set<String> said = new HashSet<>(); // at most one line of each kind
    private Optional<Schema> lastRow = Optional.empty(); // records that follow each other have one schema, as a rule
    private List<Column> lastColumns = List.of(); // of that schema

    DebeziumEnvelope(
            EnvelopeSettings settings,
            KeyForm keyForm,
            boolean isPositionNeeded,
            Predicate<SinkRecord> deletesByTombstone,
            List<RowPlace> places) {
        this.settings = requireNonNull(settings, "settings");
        this.keyForm = requireNonNull(keyForm, "keyForm");
        this.isPositionNeeded = isPositionNeeded;
        this.deletesByTombstone = requireNonNull(deletesByTombstone, "deletesByTombstone");
        this.places = List.copyOf(places);
        this.encoder = new JsonEncoder();
        this.columns = new RowColumns(settings, encoder);
        this.keys = new RecordKeys(encoder, columns);
    }

    @Override
    public Change open(SinkRecord record) {
        Object value = record.value();
        if (value == null) {
            return tombstone(record);
        }
        ByteSlice json = jsonOf(value);
        ChangeEvent event = events.read(record.topic(), json);
        return switch (event.operation()) {
            case ChangeEvent.CREATE, ChangeEvent.READ, ChangeEvent.UPDATE -> write(record, event);
            case ChangeEvent.DELETE -> delete(record, event);
            case ChangeEvent.TRUNCATE -> truncate(record);
            case ChangeEvent.MESSAGE -> skip(record, "logical decoding messages");
            case ChangeEvent.NO_VALUE -> tombstone(record);
            case ChangeEvent.NO_OPERATION ->
                skip(record, NotAnEvent.kindOf(record.topic(), namesOfKey(record), events.names(json)));
            default -> throw NotAnEvent.because("its `op` is none of c, r, u, d, t and m");
        };
    }

    private Set<String> namesOfKey(SinkRecord record) {
        return keys.rowOf(record).map(events::names).orElse(Set.of());
    }

    private Change skip(SinkRecord record, String what) {
        if (said.add(what)) {
            log.info("Skipping {} from now on, first in topic {}", what, record.topic());
        }
        return Change.skip(record);
    }

    private ByteSlice jsonOf(Object value) {
        if (value instanceof Struct event) {
            return jsonOf(event);
        }
        if (value instanceof Map) {
            return encoder.encode(null, value);
        }
        if (value instanceof ByteSlice json) {
            return json;
        }
        if (value instanceof byte[] || value instanceof String || value instanceof ByteBuffer) {
            return ByteSlice.of(ScalarText.bytesOf(value).orElseThrow());
        }
        throw NotAnEvent.because("it is a " + value.getClass().getSimpleName());
    }

    /** The parts that are needed of an event, or all of what is none. */
    private ByteSlice jsonOf(Struct event) {
        Map<String, SchemaAndValue> parts = new LinkedHashMap<>();
        for (String name : PARTS) {
            Field field = event.schema().field(name);
            Object part = field == null ? null : event.getWithoutDefault(name);
            if (part != null) {
                parts.put(name, new SchemaAndValue(field.schema(), part));
            }
        }
        if (parts.containsKey("after") && places.isEmpty()) {
            parts.remove("before");
        }
        return parts.containsKey("op") ? encoder.encodeFields(parts) : encoder.encode(event.schema(), event);
    }

    private Change write(SinkRecord record, ChangeEvent event) {
        if (event.after().isEmpty()) {
            throw NotAnEvent.because("it has no `after`, which its `op` requires");
        }
        ByteSlice row = columns.document(
                object("after", event.after()), columnsOf(record, event), event.operation() == ChangeEvent.UPDATE);
        boolean isPart = columns.hasLeftOut();
        Optional<Schema> schema = schemaOfRow(record, event);
        SinkRecord written = withRow(record, row, schema);
        if (!places.isEmpty()
                && event.operation() == ChangeEvent.UPDATE
                && !event.before().isEmpty()) {
            SinkRecord old = withRow(record, rowBefore(record, event), schema);
            places.forEach(place -> place.refuseMove(old, written));
        }
        Change change = Change.write(written, positionOf(event), schema);
        return isPart ? change.ofPart() : change;
    }

    private ByteSlice rowBefore(SinkRecord record, ChangeEvent event) {
        return columns.decoded(object("before", event.before()), columnsOf(record, event));
    }

    private Change delete(SinkRecord record, ChangeEvent event) {
        if (event.before().isEmpty()) {
            return Change.delete(withRow(record, null, Optional.empty()), positionOf(event));
        }
        return Change.delete(withRow(record, rowBefore(record, event), schemaOfRow(record, event)), positionOf(event));
    }

    /** The schema of the row, if the record or its JSON has one. */
    private static Optional<Schema> schemaOfRow(SinkRecord record, ChangeEvent event) {
        Schema ofValue = record.value() instanceof Struct struct ? struct.schema() : record.valueSchema();
        return event.row().or(() -> Optional.ofNullable(ofValue)
                .filter(schema -> schema.type() == Schema.Type.STRUCT)
                .map(schema -> schema.field("after"))
                .map(Field::schema)
                .filter(schema -> schema.type() == Schema.Type.STRUCT));
    }

    /** The columns whose JSON is not their value, as far as something says so. */
    private List<Column> columnsOf(SinkRecord record, ChangeEvent event) {
        Optional<Schema> row = schemaOfRow(record, event);
        if (event.row().isPresent()) {
            return event.columns();
        }
        if (row.isPresent()) {
            if (!row.equals(lastRow)) {
                lastRow = row;
                lastColumns = row.get().fields().stream()
                        .filter(field -> Column.isJson(field.schema()))
                        .map(field -> Column.ofJson(field.name()))
                        .toList();
            }
            return lastColumns;
        }
        boolean isFramed = record.value() instanceof ByteSlice; // its schema was read, or is that of plain JSON
        if (!isFramed && said.add("no schema")) {
            log.info(
                    "The change events of topic {} have no schema, so numbers that Debezium writes as Base64 stay Base64:"
                            + " see its decimal.handling.mode",
                    record.topic());
        }
        return List.of();
    }

    private static ByteSlice object(String part, ByteSlice row) {
        if (row.array()[row.from()] != '{') {
            throw NotAnEvent.because("its `" + part + "` is no object");
        }
        return row;
    }

    private Change truncate(SinkRecord record) {
        if (settings.truncates() == Truncates.IGNORE) {
            return skip(record, "truncates");
        }
        throw new RefusedException("the source's table was emptied with TRUNCATE, and this is not done here: empty the"
                + " destination yourself, then see " + EnvelopeSettings.TRUNCATES);
    }

    /** After a deletion Debezium sends a tombstone; log compaction may leave nothing else of it. */
    private Change tombstone(SinkRecord record) {
        return deletesByTombstone.test(record)
                ? Change.delete(withRow(record, null, Optional.empty()), Document.NO_POSITION)
                : skip(record, "tombstones");
    }

    private long positionOf(ChangeEvent event) {
        if (!isPositionNeeded) {
            return Document.NO_POSITION;
        }
        long position = positions.of(event.source());
        if (position == Document.NO_POSITION) {
            throw new RefusedException("the change event has no position in the source's log that can be compared: its"
                    + " `source` has no lsn (PostgreSQL; an incremental snapshot may have none), file and pos (MySQL, MariaDB) or"
                    + " ts_ms");
        }
        return position;
    }

    /** The record with another value and the key in the form that the sink reads. */
    private SinkRecord withRow(SinkRecord record, ByteSlice row, Optional<Schema> schema) {
        SchemaAndValue key =
                switch (keyForm) {
                    case TEXT -> keys.text(record);
                    case OBJECT -> keys.object(record);
                    case UNREAD -> new SchemaAndValue(record.keySchema(), record.key());
                };
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                key.schema(),
                key.value(),
                schema.orElse(null),
                row,
                record.timestamp(),
                record.headers());
    }
}
