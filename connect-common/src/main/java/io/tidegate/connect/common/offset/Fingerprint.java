package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * Tells a record apart from the record at the same offset of another log: of a topic that was recreated, truncated, or
 * is in another cluster.
 *
 * @param offset of the record
 * @param timestamp of the record, milliseconds since 1970 UTC; {@link #NO_TIMESTAMP} when it has none
 * @param hash of what was written for it; empty when it cannot be compared with what is written today
 */
public record Fingerprint(long offset, long timestamp, OptionalLong hash) {
    /** Kafka's own value for a record without a timestamp. */
    public static final long NO_TIMESTAMP = -1;

    public Fingerprint {
        requireNonNull(hash, "hash");
    }

    /** Whether anything of this record can be compared. */
    public boolean isComparable() {
        return hash.isPresent() || timestamp != NO_TIMESTAMP;
    }
}
