package io.tidegate.connect.common.recovery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.lane.OffsetRequests;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Asks the server at times whether it still has what was written, so that a partition without new records also learns
 * that the server came back older than it was. It asks soon after the connections show another server, and again while
 * there is no answer. Task thread only.
 */
public final class Verification {
    /** How often to ask while nothing has changed. */
    static final Duration INTERVAL = Duration.ofSeconds(30);

    /** The pause after a failed attempt. */
    static final Duration RETRY = Duration.ofSeconds(1);

    private final Target target;
    private final List<Lane> lanes;
    private final Clock clock;
    private long seenChanges;
    private long askedAt; // as the clock's nanoTime

    public Verification(Target target, List<Lane> lanes, Clock clock) {
        this.target = requireNonNull(target, "target");
        this.lanes = requireNonNull(lanes, "lanes");
        this.clock = requireNonNull(clock, "clock");
        this.seenChanges = target.serverChanges();
        this.askedAt = clock.nanoTime();
    }

    /** Call it with every {@code put}. */
    public void poll() {
        if (!target.keepsOffsets() || isAny(OffsetRequests.Verification.REQUESTED)) {
            return;
        }
        long changes = target.serverChanges();
        Duration pause = isAny(OffsetRequests.Verification.FAILED) ? RETRY : INTERVAL;
        if (changes != seenChanges || clock.nanoTime() - askedAt >= pause.toNanos()) {
            seenChanges = changes;
            askedAt = clock.nanoTime();
            lanes.forEach(lane -> lane.offsets().verify());
        }
    }

    /** Whether {@link #poll} must be called again soon, because the server has not answered yet. */
    public boolean isUnderWay() {
        return isAny(OffsetRequests.Verification.REQUESTED) || isAny(OffsetRequests.Verification.FAILED);
    }

    private boolean isAny(OffsetRequests.Verification state) {
        return lanes.stream().anyMatch(lane -> lane.offsets().verification() == state);
    }
}
