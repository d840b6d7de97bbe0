package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destinations of a task for which the server accepts nothing now, whichever lane noticed it. This class logs and
 * measures them. A destination that stays so is logged once, then at doubling intervals, then when it is over. Any
 * thread.
 */
public final class PostponedDestinations {
    private static final Logger log = LoggerFactory.getLogger(PostponedDestinations.class);

    /** A destination that is unavailable for a shorter time is not logged. */
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    /** If there are more destinations at a time, they are only counted. */
    private static final int MOST_LOGGED = 8;

    private final String target;
    private final Clock clock;
    private final Map<String, State> states = new HashMap<>(); // guarded by this
    private int logged; // how many of the states were logged; guarded by this
    private long bytes; // guarded by this

    private static final class State {
        private final long since;
        private long reportAt;
        private Duration interval = FIRST_INTERVAL;
        private int lanes;
        private long records;
        private String reason = "";
        private boolean isLogged;

        State(long now) {
            this.since = now;
            this.reportAt = now + FIRST_INTERVAL.toNanos();
        }
    }

    /**
     * The destinations of one task.
     *
     * @param target names the server in messages
     */
    public PostponedDestinations(String target, Clock clock) {
        this.target = requireNonNull(target, "target");
        this.clock = requireNonNull(clock, "clock");
    }

    /** A lane begins to postpone documents. */
    synchronized void begins(String destination) {
        states.computeIfAbsent(destination, each -> new State(clock.nanoTime())).lanes++;
    }

    /** A lane tried again and failed. */
    synchronized void failed(String destination, String reason) {
        State state = states.get(destination);
        state.reason = reason;
        long now = clock.nanoTime();
        if (now - state.reportAt < 0 || (!state.isLogged && logged >= MOST_LOGGED)) {
            return;
        }
        if (!state.isLogged) {
            state.isLogged = true;
            logged++;
        }
        state.reportAt = now + state.interval.multipliedBy(2).toNanos();
        state.interval = state.interval.multipliedBy(2);
        log.warn(
                "{} takes nothing for {}: {} records wait, for {} s so far, and others are written meanwhile; {} more"
                        + " destinations are waited for; {}",
                target,
                destination,
                state.records,
                Duration.ofNanos(now - state.since).toSeconds(),
                states.size() - 1,
                reason);
    }

    /** A lane postpones this many more documents, or fewer. */
    synchronized void postponed(String destination, int documents, long bytesHeld) {
        State state = states.get(destination);
        state.records += documents;
        bytes += bytesHeld;
    }

    /** A lane no longer postpones anything for this destination. */
    synchronized void ends(String destination) {
        State state = states.get(destination);
        state.lanes--;
        if (state.lanes > 0) {
            return;
        }
        states.remove(destination);
        if (state.isLogged) {
            logged--;
            log.info(
                    "{} takes records for {} again, after {} s",
                    target,
                    destination,
                    Duration.ofNanos(clock.nanoTime() - state.since).toSeconds());
        }
    }

    /** The reason of the destination's last failure. */
    synchronized String reason(String destination) {
        return states.get(destination).reason;
    }

    String target() {
        return target;
    }

    /** The number of destinations. */
    public synchronized int count() {
        return states.size();
    }

    /** Bytes of the documents that are postponed, an estimate. */
    public synchronized long bytes() {
        return bytes;
    }
}
