package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Where a server that keeps offsets says that a partition goes on.
 *
 * @param nextOffset everything below it is done
 * @param lastRecord the last record that was written, by which the log is recognised; empty when the server knows none
 */
public record StartingPoint(long nextOffset, Optional<Fingerprint> lastRecord) {
    public StartingPoint {
        requireNonNull(lastRecord, "lastRecord");
    }

    /** From where Kafka is to deliver: the last record once more, if it is known. */
    public long deliverFrom() {
        return lastRecord.map(Fingerprint::offset).orElse(nextOffset);
    }
}
