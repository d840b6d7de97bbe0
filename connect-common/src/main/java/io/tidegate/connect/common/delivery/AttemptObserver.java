package io.tidegate.connect.common.delivery;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.util.List;
import java.util.Optional;

/** Sees the result of each attempt of a delivery, with its overrides. The lane's thread calls it. */
@FunctionalInterface
public interface AttemptObserver {
    /** Sees nothing. */
    AttemptObserver NONE = (attempted, named, left, nanos) -> {};

    /**
     * An attempt is over. What is neither named nor left unwritten is written.
     *
     * @param attempted the documents of the attempt; none if it was about offsets
     * @param named those that are refused or skipped
     * @param left how it failed, with the documents that are left; empty if none are
     * @param nanos how long the attempt took
     */
    void attempted(List<Document> attempted, List<Refusal> named, Optional<WriteException> left, long nanos);
}
