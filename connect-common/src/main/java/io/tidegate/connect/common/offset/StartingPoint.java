package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Where a partition continues, as a server that keeps offsets says.
 *
 * @param nextOffset all records below it are done
 * @param lastRecord the last record that was written, which identifies the log; empty when the server knows none
 */
public record StartingPoint(long nextOffset, Optional<Fingerprint> lastRecord) {
    public StartingPoint {
        requireNonNull(lastRecord, "lastRecord");
    }

    /** The offset from which Kafka must deliver: that of the last record, if it is known, to compare it. */
    public long deliverFrom() {
        return lastRecord
                .filter(Fingerprint::isComparable)
                .map(Fingerprint::offset)
                .orElse(nextOffset);
    }
}
