package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * The next offsets that a server keeps beside the data, and that one lane moves. One lane's thread uses it, but for
 * {@link #recognised()}. A partition is given up ({@link Progress#giveUp}) when its offset turns out not to be what this
 * lane left there; it is then claimed again under a new {@link Progress}.
 */
public interface ServerOffsets {
    /**
     * Makes this lane the owner of these partitions. One attempt; what it did may be done again.
     *
     * @return from where each of them goes on; empty if the server knows nothing of it, so that its first record begins it
     * @throws WriteException of no documents
     */
    Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) throws WriteException;

    /**
     * Raises the next offsets, because what lies below them is done although no document moved them: it was refused, or
     * never reached this sink. One attempt.
     *
     * @return the next offsets of these partitions after that; without those that are given up
     * @throws WriteException of no documents
     */
    Map<Progress, Long> store(Map<Progress, Long> nextOffsets) throws WriteException;

    /**
     * Finds out whether the server still has what this lane wrote. One attempt, which ends no connections and is no outage
     * if it fails.
     *
     * @throws WriteException of no documents
     */
    void verify() throws WriteException;

    /** Any thread: how many documents were skipped since the start, because the server's offsets show that they are written. */
    long recognised();
}
