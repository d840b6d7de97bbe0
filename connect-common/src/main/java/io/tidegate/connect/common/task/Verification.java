package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Asks the server at times whether it still has what was written, so that a partition without new records also learns
 * that the server came back older than it was. It asks soon after the connections show another server, and again while
 * there is no answer. Task thread only.
 */
final class Verification {
    /** How often to ask while nothing has changed. */
    static final Duration INTERVAL = Duration.ofSeconds(30);

    /** The pause after a failed attempt. */
    static final Duration RETRY = Duration.ofSeconds(1);

    private final Target target;
    private final List<Lane> lanes;
    private final Clock clock;
    private final Duration interval;
    private final boolean isWanted;
    private long seenChanges;
    private long askedAt; // as the clock's nanoTime

    Verification(Target target, List<Lane> lanes, Clock clock) {
        this.target = requireNonNull(target, "target");
        this.lanes = requireNonNull(lanes, "lanes");
        this.clock = requireNonNull(clock, "clock");
        this.isWanted = target.keepsOffsets() || !target.replay().isZero();
        this.interval =
                target.replay().isZero() ? INTERVAL : shorter(target.replay().dividedBy(4));
        this.seenChanges = target.serverSight().changes();
        this.askedAt = clock.nanoTime();
    }

    /** What is delivered again includes everything since the last answer, so that must not be long ago. */
    private static Duration shorter(Duration wanted) {
        Duration bounded = wanted.compareTo(INTERVAL) < 0 ? wanted : INTERVAL;
        return bounded.compareTo(RETRY) > 0 ? bounded : RETRY;
    }

    /** Call it with every {@code put}. */
    void poll() {
        if (!isWanted || isAny(Lane.Verification.REQUESTED)) {
            return;
        }
        long changes = target.serverSight().changes();
        Duration pause = isAny(Lane.Verification.FAILED) ? RETRY : interval;
        if (changes != seenChanges || clock.nanoTime() - askedAt >= pause.toNanos()) {
            seenChanges = changes;
            askedAt = clock.nanoTime();
            lanes.forEach(Lane::requestVerification);
        }
    }

    /** Whether {@link #poll} must be called again soon, because the server has not answered yet. */
    boolean isUnderWay() {
        return isAny(Lane.Verification.REQUESTED) || isAny(Lane.Verification.FAILED);
    }

    private boolean isAny(Lane.Verification state) {
        return lanes.stream().anyMatch(lane -> lane.verification() == state);
    }
}
