package io.tidegate.connect.common.books;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.StartingPoint;
import java.util.Optional;

/**
 * What a server's books say of a partition.
 *
 * @param nextOffset everything below it is done
 * @param generation from 1; each claim begins another, and only its owner may move the offset
 * @param lastRecord the last record that was written
 */
public record BookEntry(long nextOffset, long generation, Optional<Fingerprint> lastRecord) {
    public BookEntry {
        requireNonNull(lastRecord, "lastRecord");
    }

    /** The first owner's, which nobody has moved. */
    boolean isNew() {
        return generation == 1;
    }

    StartingPoint startingPoint() {
        return new StartingPoint(nextOffset, lastRecord.filter(Fingerprint::isComparable));
    }

    BookEntry movedTo(long next, Optional<Fingerprint> last) {
        return new BookEntry(next, generation, last);
    }
}
