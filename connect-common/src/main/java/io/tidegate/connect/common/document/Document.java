package io.tidegate.connect.common.document;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.value.ByteSlice;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * What a sink writes for one record: a JSON body, or a deletion, for a destination (a table, an index).
 * Immutable; made on the task thread, read by one lane. Arrays are shared, not copied: they are never written to.
 */
public final class Document {
    /** The key of a document without an identity: it is appended. */
    public static final byte[] NO_KEY = new byte[0];

    /** The position of a document whose record says none. */
    public static final long NO_POSITION = Long.MIN_VALUE;

    /** The body of a deletion. */
    static final ByteSlice TOMBSTONE = ByteSlice.of(new byte[0]);

    private final SinkRecord record;
    private final SinkRecord delivered; // the record, or the dead letter that it came in
    private final Progress progress;
    private final String destination;
    private final byte[] key;
    private final ByteSlice body;
    private final Optional<Schema> fields;
    private final long position;
    private final int bytesHeld;
    private final boolean isPart;

    /**
     * What a row that was written or deleted becomes.
     *
     * @param read the record with the row as its value
     * @param fetched the value as Connect delivered it, whose bytes stay on the heap
     * @param body JSON, or {@link #TOMBSTONE} for a deletion, whose record may have the row as it was
     * @param fields see {@link #fields()}
     */
    Document(
            SinkRecord read,
            long position,
            Object fetched,
            Progress progress,
            String destination,
            byte[] key,
            ByteSlice body,
            Optional<Schema> fields) {
        if (body == TOMBSTONE && key.length == 0) {
            throw new IllegalArgumentException("a deletion needs a key");
        }
        boolean isReplaced = read.value() != null && body != TOMBSTONE && !isAll(read.value(), body);
        this.record = isReplaced ? withBody(read, body) : read;
        this.delivered = this.record;
        this.progress = requireNonNull(progress, "progress");
        this.destination = requireNonNull(destination, "destination");
        this.key = requireNonNull(key, "key");
        this.body = requireNonNull(body, "body");
        this.fields = requireNonNull(fields, "fields");
        this.position = position;
        this.bytesHeld = HeapWeight.of(this.record, key, fetched);
        this.isPart = false;
    }

    private Document(Document document, SinkRecord record, SinkRecord delivered, String destination, boolean isPart) {
        this.record = record;
        this.delivered = requireNonNull(delivered, "delivered");
        this.progress = document.progress;
        this.destination = requireNonNull(destination, "destination");
        this.key = document.key;
        this.body = document.body;
        this.fields = document.fields;
        this.position = document.position;
        this.bytesHeld = document.bytesHeld;
        this.isPart = isPart;
    }

    /** The same document, which lacks fields that only an older one has. */
    Document asPart() {
        return new Document(this, record, delivered, destination, true);
    }

    /** This document of a record that came in a dead letter. The letter's own offset is committed. */
    Document deliveredIn(SinkRecord letter) {
        return new Document(this, record, letter, destination, isPart);
    }

    /** Whether the value is the body, as a slice or an array. */
    private static boolean isAll(Object value, ByteSlice body) {
        return value == body || (value == body.array() && body.length() == body.array().length);
    }

    /**
     * The record with the body as its value. A value as a tree of maps needs many times the memory of its JSON, and
     * its fields can be read from the JSON, too. A dead letter contains the bytes that the consumer fetched.
     */
    static SinkRecord withBody(SinkRecord record, ByteSlice body) {
        return record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                record.valueSchema(), // the body's types
                body,
                record.timestamp(),
                record.headers());
    }

    /**
     * A row or document to be written.
     *
     * @param key what identifies the row or document in its destination, UTF-8, or {@link #NO_KEY}
     * @param json the body, JSON in UTF-8
     */
    public static Document write(SinkRecord record, Progress progress, String destination, byte[] key, ByteSlice json) {
        return new Document(record, NO_POSITION, record.value(), progress, destination, key, json, Optional.empty());
    }

    /** The same with a body that is a whole array. */
    public static Document write(SinkRecord record, Progress progress, String destination, byte[] key, byte[] json) {
        return write(record, progress, destination, key, ByteSlice.of(json));
    }

    /** A deletion of the row or document with this key. */
    public static Document delete(SinkRecord record, Progress progress, String destination, byte[] key) {
        return new Document(
                record, NO_POSITION, record.value(), progress, destination, key, TOMBSTONE, Optional.empty());
    }

    /** The same for another destination: a tool sees there what the sink would write. */
    public Document redirectedTo(String other) {
        return new Document(this, record, delivered, other, isPart);
    }

    /** The same of a record with another key: a tool shows one that cannot be stored. The document's own key stays. */
    public Document withRecordKey(Schema schema, Object other) {
        SinkRecord changed = record.newRecord(
                record.topic(),
                record.kafkaPartition(),
                schema,
                other,
                record.valueSchema(),
                record.value(),
                record.timestamp(),
                record.headers());
        return new Document(this, changed, delivered, destination, isPart);
    }

    /** The record as Connect delivered it, after the transforms; its value may be the body. */
    public SinkRecord record() {
        return record;
    }

    /** The record to report if this document is refused: the record itself, or the dead letter that it came in. */
    public SinkRecord delivered() {
        return delivered;
    }

    @SuppressWarnings("ReferenceEquality") // the same object, or one that only a redrive has
    private boolean isRedriven() {
        return delivered != record;
    }

    /** The topic that the record was first written to, in UTF-8. It must not be changed. */
    public byte[] topicUtf8() {
        return isRedriven() ? record.originalTopic().getBytes(StandardCharsets.UTF_8) : progress.topicUtf8();
    }

    /** The partition that the record was first written to. */
    public int partition() {
        return isRedriven()
                ? record.originalKafkaPartition()
                : progress.partition().partition();
    }

    /** The offset that the record first had. It differs from {@link #offset()} if the record came in a dead letter. */
    public long recordOffset() {
        return record.originalKafkaOffset();
    }

    /** The assigned partition that the record came from, by its name before the transforms. */
    public Progress progress() {
        return progress;
    }

    /** The offset of {@link #delivered()} in Kafka, which is committed; transforms do not change it. */
    public long offset() {
        return delivered.originalKafkaOffset();
    }

    public String destination() {
        return destination;
    }

    public boolean hasKey() {
        return key.length > 0;
    }

    /** UTF-8; empty when {@link #hasKey()} is false. */
    public byte[] key() {
        return key;
    }

    /** Whether it lacks fields that only an older document has, into which it must be merged. */
    public boolean isPart() {
        return isPart;
    }

    public boolean isDelete() {
        return body == TOMBSTONE;
    }

    /** JSON in UTF-8; empty for a deletion. */
    public ByteSlice json() {
        return body;
    }

    /** The schema of the struct that the JSON was made of, if it was one: the JSON has no types but its own. */
    public Optional<Schema> fields() {
        return fields;
    }

    /** The position of the change in the source's log, or {@link #NO_POSITION}. */
    public long position() {
        return position;
    }

    /** Identifies the record when it is delivered again. It hashes the value only if that is as Connect delivered it. */
    public Fingerprint fingerprint() {
        return Fingerprint.of(delivered);
    }

    /** Bytes that this document keeps on the heap until it is written: an estimate that includes the record. */
    public int bytesHeld() {
        return bytesHeld;
    }

    /** The record's place in Kafka, as {@code topic-partition@offset}; never its content. */
    @Override
    public String toString() {
        return progress + "@" + offset();
    }
}
