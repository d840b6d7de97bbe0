package io.tidegate.connect.common.delivery;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which a lane's server cannot write: how many attempts failed in a row, and since when. It is logged at once, then
 * at doubling intervals, then when it is over. Lane thread, except for {@link #isOngoing()}.
 */
final class Outage {
    private static final Logger log = LoggerFactory.getLogger(Outage.class);
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    private final String began;
    private final String ended;
    private volatile int attempts; // written by the lane thread only
    private long since;
    private long reportAt;
    private Duration interval = FIRST_INTERVAL;

    /**
     * None yet.
     *
     * @param began what the operator reads while it lasts; and of its end
     */
    Outage(String began, String ended) {
        this.began = began;
        this.ended = ended;
    }

    /** Any thread. */
    boolean isOngoing() {
        return attempts > 0;
    }

    int attempts() {
        return attempts;
    }

    Duration elapsed(long now) {
        return Duration.ofNanos(now - since);
    }

    /** Another attempt failed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void failed(long now, String where, String reason) {
        if (attempts == 0) {
            since = now;
            interval = FIRST_INTERVAL;
            reportAt = now;
        }
        attempts++;
        if (now - reportAt >= 0) {
            log.warn(
                    "{}. {} failed attempts in {} s; waiting: {}; {}",
                    began,
                    attempts,
                    elapsed(now).toSeconds(),
                    where,
                    reason);
            reportAt = now + interval.toNanos();
            interval = interval.multipliedBy(2);
        }
    }

    /** An attempt reached the server and was answered. */
    void over(long now) {
        if (attempts > 0) {
            log.info(
                    "{}, after {} attempts in {} s",
                    ended,
                    attempts,
                    elapsed(now).toSeconds());
            attempts = 0;
        }
    }
}
