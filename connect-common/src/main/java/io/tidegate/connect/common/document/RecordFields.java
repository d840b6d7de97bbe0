package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.FieldReader;
import io.tidegate.connect.common.value.FieldValue;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The fields of records that a task's rules need. They are read together in one pass when the first rule asks. The task
 * thread uses it; it remembers the last record that it read.
 */
public final class RecordFields {
    private final Function<SinkRecord, SchemaAndValue> side;
    private final Times times;
    private final Optional<FieldReader> reader;
    private final Map<JsonPath, Integer> slots = new HashMap<>();
    private final JsonEncoder encoder;
    private Optional<SinkRecord> last = Optional.empty();
    private List<FieldValue> values = List.of();

    /** The time of the event that a record describes. */
    @FunctionalInterface
    public interface Times {
        /** The time of records' timestamps. */
        Times OF_TIMESTAMPS =
                (record, fields) -> Optional.ofNullable(record.timestamp()).map(Instant::ofEpochMilli);

        /**
         * The time; empty when there is none.
         *
         * @throws RefusedException when the record must have one
         */
        Optional<Instant> of(SinkRecord record, RecordFields fields);
    }

    /**
     * Fields of records' values that may be requested.
     *
     * @param paths all of them; duplicates are allowed
     */
    public RecordFields(Collection<JsonPath> paths) {
        this(paths, Times.OF_TIMESTAMPS);
    }

    /** As the other constructor, with times from elsewhere than the timestamp. */
    public RecordFields(Collection<JsonPath> paths, Times times) {
        this(paths, times, record -> new SchemaAndValue(record.valueSchema(), record.value()));
    }

    private RecordFields(Collection<JsonPath> paths, Times times, Function<SinkRecord, SchemaAndValue> side) {
        this.side = side;
        this.times = times;
        this.encoder = new JsonEncoder();
        List<JsonPath> distinct = paths.stream().distinct().toList();
        this.reader = distinct.isEmpty() ? Optional.empty() : Optional.of(new FieldReader(distinct));
        for (int i = 0; i < distinct.size(); i++) {
            slots.put(distinct.get(i), i);
        }
    }

    /** Fields of records' keys, instead of their values, that may be requested. */
    public static RecordFields ofKey(Collection<JsonPath> paths) {
        return new RecordFields(
                paths, Times.OF_TIMESTAMPS, record -> new SchemaAndValue(record.keySchema(), record.key()));
    }

    /**
     * The time of a record, for dates in names.
     *
     * @throws RefusedException when the record must have one and does not
     */
    public Optional<Instant> timeOf(SinkRecord record) {
        return times.of(record, this);
    }

    /**
     * The value at a path of a record's value or key: of JSON in bytes or a string, or of the JSON that is made of a
     * {@code Struct} or a map. If that is null, every field is missing.
     *
     * @throws io.tidegate.connect.common.value.RefusedException when it is not JSON, or has no JSON form
     * @throws IllegalArgumentException when the path was not given to the constructor
     */
    @SuppressWarnings("ReferenceEquality") // the same record, not an equal one: comparing reads whole values
    public FieldValue get(SinkRecord record, JsonPath path) {
        Integer slot = slots.get(path);
        if (slot == null) {
            throw new IllegalArgumentException(path + " is not among the fields to read");
        }
        if (last.isEmpty() || last.get() != record) {
            last = Optional.empty(); // reading may refuse the record
            values = read(side.apply(record), reader.orElseThrow());
            last = Optional.of(record);
        }
        return values.get(slot);
    }

    private List<FieldValue> read(SchemaAndValue read, FieldReader fields) {
        return read.value() == null
                ? Collections.nCopies(fields.paths().size(), FieldValue.MISSING)
                : fields.read(encoder.encode(read.schema(), read.value()));
    }
}
