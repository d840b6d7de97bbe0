package io.tidegate.connect.common.delivery;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which the server cannot write for a lane: how many attempts in a row have failed, and since when. It is
 * logged at once, then at doubling intervals, then when it is over. Lane thread, except for {@link #isOngoing()}.
 */
final class Outage {
    private static final Logger log = LoggerFactory.getLogger(Outage.class);
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    private final String target;
    private final boolean isBusy;
    private volatile int attempts; // written by the lane thread only
    private long since;
    private long reportAt;
    private Duration interval = FIRST_INTERVAL;

    /**
     * Starts without failed attempts.
     *
     * @param isBusy whether the server is well and only has no room for this task now
     */
    Outage(String target, boolean isBusy) {
        this.target = target;
        this.isBusy = isBusy;
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
            report(elapsed(now).toSeconds(), where, reason);
            reportAt = now + interval.toNanos();
            interval = interval.multipliedBy(2);
        }
    }

    private void report(long seconds, String where, String reason) {
        if (isBusy) {
            log.warn(
                    "{} keeps this task waiting. {} failed attempts in {} s; waiting: {}; {}",
                    target,
                    attempts,
                    seconds,
                    where,
                    reason);
        } else {
            log.warn(
                    "{} cannot be written to; trying again until it can. {} failed attempts in {} s; waiting: {}; {}",
                    target,
                    attempts,
                    seconds,
                    where,
                    reason);
        }
    }

    /** An attempt got an answer from the server. */
    void over(long now) {
        if (attempts > 0) {
            long seconds = elapsed(now).toSeconds();
            if (isBusy) {
                log.info("{} is written to again, after {} attempts in {} s", target, attempts, seconds);
            } else {
                log.info("{} can be written to again, after {} attempts in {} s", target, attempts, seconds);
            }
            attempts = 0;
        }
    }
}
