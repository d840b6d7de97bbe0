package io.tidegate.connect.common.recovery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.StartingPoint;
import java.util.Optional;

/**
 * What the server keeps of a partition.
 *
 * @param nextOffset all records below it are done
 * @param generation starts at 1. Each claim raises it, and only the owner of the newest one may move the offset
 * @param lastRecord the last record that was written
 */
public record StoredOffset(long nextOffset, long generation, Optional<Fingerprint> lastRecord) {
    public StoredOffset {
        requireNonNull(lastRecord, "lastRecord");
    }

    /** Whether this is the first generation: no other task has claimed the partition since. */
    boolean isNew() {
        return generation == 1;
    }

    StartingPoint startingPoint() {
        return new StartingPoint(nextOffset, lastRecord);
    }

    StoredOffset movedTo(long next, Optional<Fingerprint> last) {
        return new StoredOffset(next, generation, last);
    }
}
