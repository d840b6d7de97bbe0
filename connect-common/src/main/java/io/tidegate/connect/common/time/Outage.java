package io.tidegate.connect.common.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which a server cannot do something: how many attempts in a row have failed, and since when. It is logged at
 * once, then at doubling intervals, then when it is over. One thread, except for {@link #isOngoing()}.
 */
public final class Outage {
    private static final Logger log = LoggerFactory.getLogger(Outage.class);
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    private final String server;
    private final String ability;
    private volatile int attempts; // written by one thread only
    private long since;
    private long reportAt;
    private Duration interval = FIRST_INTERVAL;

    /**
     * Starts without failed attempts.
     *
     * @param server names it in messages
     * @param ability what it cannot do in that time, as in {@code be written to}
     */
    public Outage(String server, String ability) {
        this.server = requireNonNull(server, "server");
        this.ability = requireNonNull(ability, "ability");
    }

    /** Any thread. */
    public boolean isOngoing() {
        return attempts > 0;
    }

    public int attempts() {
        return attempts;
    }

    public Duration elapsed(long now) {
        return Duration.ofNanos(now - since);
    }

    /**
     * Another attempt failed.
     *
     * @param now as {@link Clock#nanoTime()}
     * @param waiting what waits
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void failed(long now, String waiting, String reason) {
        if (attempts == 0) {
            since = now;
            interval = FIRST_INTERVAL;
            reportAt = now;
        }
        attempts++;
        if (now - reportAt >= 0) {
            log.warn(
                    "{} cannot {}; trying again until it can. {} failed attempts in {} s; waiting: {}; {}",
                    server,
                    ability,
                    attempts,
                    elapsed(now).toSeconds(),
                    waiting,
                    reason);
            reportAt = now + interval.toNanos();
            interval = interval.multipliedBy(2);
        }
    }

    /** There is nothing left to attempt, so nobody knows whether it can. */
    public void forget() {
        attempts = 0;
    }

    /** An attempt got an answer. */
    public void over(long now) {
        if (attempts > 0) {
            long seconds = elapsed(now).toSeconds();
            log.info("{} can {} again, after {} attempts in {} s", server, ability, attempts, seconds);
            attempts = 0;
        }
    }
}
