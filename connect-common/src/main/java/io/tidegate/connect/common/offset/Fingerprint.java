package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Tells a record apart from the record at the same offset of another log: of a topic that was recreated, truncated, or
 * is in another cluster. It holds only what is the record's own, whatever the sink makes of it.
 *
 * @param offset of the record
 * @param timestamp of the record, milliseconds since 1970 UTC; {@link #NO_TIMESTAMP} when it has none
 * @param hash of the value's bytes as they are in Kafka; empty when a sink does not see those
 */
public record Fingerprint(long offset, long timestamp, OptionalLong hash) {
    /** Kafka's own value for a record without a timestamp. */
    public static final long NO_TIMESTAMP = -1;

    /** What a comparison shows. */
    public enum Comparison {
        SAME,
        ANOTHER,
        /** Neither has anything that the other one has too. */
        UNKNOWN
    }

    public Fingerprint {
        requireNonNull(hash, "hash");
    }

    /** The fingerprint of a record. A converter that leaves the bytes as they are shows them. */
    public static Fingerprint of(SinkRecord record) {
        Long timestamp = record.timestamp();
        return new Fingerprint(
                record.originalKafkaOffset(),
                timestamp == null ? NO_TIMESTAMP : timestamp,
                record.value() instanceof byte[] bytes ? OptionalLong.of(hashOf(bytes)) : OptionalLong.empty());
    }

    private static long hashOf(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Whether anything of this record can be compared. */
    public boolean isComparable() {
        return hash.isPresent() || timestamp != NO_TIMESTAMP;
    }

    /** Compares this with the fingerprint of the record that is at its offset now. */
    public Comparison comparedWith(Fingerprint now) {
        boolean areTimestamps = timestamp != NO_TIMESTAMP && now.timestamp != NO_TIMESTAMP;
        boolean areHashes = hash.isPresent() && now.hash.isPresent();
        if ((areTimestamps && timestamp != now.timestamp) || (areHashes && !hash.equals(now.hash))) {
            return Comparison.ANOTHER;
        }
        return areTimestamps || areHashes ? Comparison.SAME : Comparison.UNKNOWN;
    }
}
