package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Envelope.Change;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Turns a record into a document. The task thread calls it. From one record to the next it keeps only the buffer in
 * which values are encoded.
 */
public final class DocumentMapper {
    /** The kind of a redriven record that could undo something newer. */
    public static final String UNGUARDED = "unguarded";

    private final TemplateDestinations destinations;
    private final KeyRule keys;
    private final NullValues nullValues;
    private final Unwrapping unwrapping;
    private final UnaryOperator<ByteSlice> bodies;
    private final JsonEncoder encoder;
    private Optional<Envelope> envelope = Optional.empty(); // set before the first record
    private Optional<Redriving> redriving = Optional.empty(); // set before the first record

    /** Makes the record that all rules read, with the document as its value. The task thread uses it. */
    @FunctionalInterface
    public interface Unwrapping extends UnaryOperator<SinkRecord> {
        /** Returns each record as it is. */
        Unwrapping NONE = record -> record;

        /**
         * Fetches what these records need from elsewhere, before any of them is unwrapped.
         *
         * @throws RetriableException when it cannot be fetched now
         */
        default void prepare(Collection<SinkRecord> records) {}
    }

    /** Reads dead letters, if the topics hold those. The task thread uses it. */
    public interface Redriving {
        /**
         * The record that a dead letter is about, under its original coordinates; empty when the letter must be
         * skipped.
         *
         * @throws RefusedException when the letter does not say where it comes from
         */
        Optional<SinkRecord> recordOf(SinkRecord letter);

        /** Whether the server keeps an older deletion from deleting what is newer. */
        boolean guardsDeletions();
    }

    public DocumentMapper(TemplateDestinations destinations, KeyRule keys, NullValues nullValues) {
        this(destinations, keys, nullValues, Unwrapping.NONE, UnaryOperator.identity());
    }

    /**
     * A mapper that also unwraps each record and inspects each body.
     *
     * @param unwrapping may refuse the record
     * @param bodies returns the JSON to be sent for the JSON of a record. It must not change the array below,
     *     which belongs to the record
     */
    public DocumentMapper(
            TemplateDestinations destinations,
            KeyRule keys,
            NullValues nullValues,
            Unwrapping unwrapping,
            UnaryOperator<ByteSlice> bodies) {
        this.unwrapping = requireNonNull(unwrapping, "unwrapping");
        this.bodies = requireNonNull(bodies, "bodies");
        this.destinations = requireNonNull(destinations, "destinations");
        this.keys = requireNonNull(keys, "keys");
        this.nullValues = requireNonNull(nullValues, "nullValues");
        this.encoder = new JsonEncoder();
    }

    /** Takes records apart whose values are in an envelope, if there is one. */
    public DocumentMapper within(Optional<Envelope> newEnvelope) {
        envelope = requireNonNull(newEnvelope, "envelope");
        return this;
    }

    /** Reads dead letters, if the records are such. */
    public DocumentMapper redriving(Optional<Redriving> letters) {
        redriving = requireNonNull(letters, "redriving");
        return this;
    }

    /**
     * Fetches what these records need from elsewhere, such as their schemas. It comes before any of them is mapped.
     *
     * @throws RetriableException when it cannot be fetched now
     */
    public void prepare(Collection<SinkRecord> records) {
        unwrapping.prepare(records);
    }

    /**
     * The document for this record, or empty when the record must be skipped.
     *
     * @throws RefusedException when the record cannot become a document of this target
     */
    public Optional<Document> map(SinkRecord delivered, Progress progress) {
        return redriving.isEmpty()
                ? mapOriginal(delivered, progress)
                : redriving
                        .get()
                        .recordOf(delivered)
                        .flatMap(record -> mapOriginal(record, progress))
                        .map(document -> document.deliveredIn(delivered));
    }

    private Optional<Document> mapOriginal(SinkRecord delivered, Progress progress) {
        SinkRecord record = unwrapping.apply(delivered);
        if (envelope.isEmpty()) { // without a change in between, which would be one more object for each record
            return record.value() == null
                    ? delete(record, Document.NO_POSITION, delivered, progress)
                    : Optional.of(write(withJson(record), Document.NO_POSITION, delivered, progress, schemaOf(record)));
        }
        Change change = envelope.get().open(record);
        return switch (change.kind()) {
            case WRITE -> Optional.of(write(change.record(), change.position(), delivered, progress, change.row()));
            case MERGE ->
                Optional.of(write(change.record(), change.position(), delivered, progress, change.row())
                        .asPart());
            case DELETE -> delete(change.record(), change.position(), delivered, progress);
            case SKIP -> Optional.empty();
        };
    }

    private static Optional<Schema> schemaOf(SinkRecord record) {
        Schema schema = record.value() instanceof Struct struct ? struct.schema() : record.valueSchema();
        return Optional.ofNullable(schema).filter(found -> found.type() == Schema.Type.STRUCT);
    }

    /** Names and keys are read from the record's JSON. */
    private SinkRecord withJson(SinkRecord record) {
        Object value = record.value();
        return value instanceof byte[] || value instanceof ByteSlice
                ? record
                : Document.withBody(record, encoder.encode(record.valueSchema(), value));
    }

    private Document write(
            SinkRecord record, long position, SinkRecord delivered, Progress progress, Optional<Schema> fields) {
        ByteSlice json = bodies.apply(encoder.encode(null, record.value()));
        return document(record, position, delivered, progress, keys.keyOf(record), json, fields);
    }

    private Document document(
            SinkRecord record,
            long position,
            SinkRecord delivered,
            Progress progress,
            byte[] key,
            ByteSlice json,
            Optional<Schema> fields) {
        return new Document(
                record, position, delivered.value(), progress, destinations.destinationOf(record), key, json, fields);
    }

    private Optional<Document> delete(SinkRecord record, long position, SinkRecord delivered, Progress progress) {
        String what = envelope.isPresent() ? "the change event deletes a row" : "the value is null";
        return switch (nullValues) {
            case IGNORE -> Optional.empty();
            case FAIL ->
                throw new RefusedException(what
                        + (envelope.isPresent() ? ", and deletions are refused" : ", and null values are refused"));
            case DELETE -> {
                if (redriving.isPresent() && !redriving.get().guardsDeletions()) {
                    throw RefusedException.of(
                            UNGUARDED,
                            what + ", and without a guard nothing shows whether what it would delete is newer than"
                                    + " this record; see redrive");
                }
                byte[] key = keys.keyOf(record);
                if (key.length == 0) {
                    throw new RefusedException(what + " and the record has no key that names what to delete");
                }
                yield Optional.of(
                        document(record, position, delivered, progress, key, Document.TOMBSTONE, Optional.empty()));
            }
        };
    }
}
