package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Progress;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Turns a record into a document. The task thread calls it. From one record to the next it keeps only the buffer in
 * which values are encoded.
 */
public final class DocumentMapper {
    private final TemplateDestinations destinations;
    private final KeyRule keys;
    private final NullValues nullValues;
    private final UnaryOperator<SinkRecord> unwrapping;
    private final UnaryOperator<ByteSlice> bodies;
    private final JsonEncoder encoder;

    public DocumentMapper(
            TemplateDestinations destinations, KeyRule keys, NullValues nullValues, FieldDefaults defaults) {
        this(destinations, keys, nullValues, defaults, UnaryOperator.identity(), UnaryOperator.identity());
    }

    /**
     * A mapper that also unwraps each record and inspects each body.
     *
     * @param unwrapping returns the record that all rules read, with the document as its value; it may refuse the record
     * @param bodies returns the JSON to be sent for the JSON of a record. It must not change the array below,
     *     which belongs to the record
     */
    public DocumentMapper(
            TemplateDestinations destinations,
            KeyRule keys,
            NullValues nullValues,
            FieldDefaults defaults,
            UnaryOperator<SinkRecord> unwrapping,
            UnaryOperator<ByteSlice> bodies) {
        this.unwrapping = requireNonNull(unwrapping, "unwrapping");
        this.bodies = requireNonNull(bodies, "bodies");
        this.destinations = requireNonNull(destinations, "destinations");
        this.keys = requireNonNull(keys, "keys");
        this.nullValues = requireNonNull(nullValues, "nullValues");
        this.encoder = new JsonEncoder(defaults);
    }

    /**
     * The document for this record, or empty when the record must be skipped.
     *
     * @throws RefusedException when the record cannot become a document of this target
     */
    public Optional<Document> map(SinkRecord delivered, Progress progress) {
        SinkRecord record = unwrapping.apply(delivered);
        if (record.value() == null) {
            return mapNull(record, progress);
        }
        ByteSlice json = bodies.apply(encoder.encode(record.valueSchema(), record.value()));
        return Optional.of(Document.mapped(
                record, delivered.value(), progress, destinations.destinationOf(record), keys.keyOf(record), json));
    }

    private Optional<Document> mapNull(SinkRecord record, Progress progress) {
        return switch (nullValues) {
            case IGNORE -> Optional.empty();
            case FAIL -> throw new RefusedException("the value is null, and null values are refused");
            case DELETE -> {
                byte[] key = keys.keyOf(record);
                if (key.length == 0) {
                    throw new RefusedException("the value is null and the record has no key that names what to delete");
                }
                yield Optional.of(Document.delete(record, progress, destinations.destinationOf(record), key));
            }
        };
    }
}
