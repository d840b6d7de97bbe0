package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which the registry gives no schemas. It is logged at once, then at doubling intervals, then when it is over.
 * The task thread uses it.
 */
final class RegistryOutage {
    private static final Logger log = LoggerFactory.getLogger(RegistryOutage.class);
    private static final Duration FIRST_INTERVAL = Duration.ofSeconds(10);

    private final String urls;
    private final Clock clock;
    private int attempts;
    private long since;
    private long reportAt;
    private Duration interval = FIRST_INTERVAL;

    RegistryOutage(String urls, Clock clock) {
        this.urls = requireNonNull(urls, "urls");
        this.clock = requireNonNull(clock, "clock");
    }

    /** Another attempt failed. */
    void failed(String reason) {
        long now = clock.nanoTime();
        if (attempts == 0) {
            since = now;
            reportAt = now;
            interval = FIRST_INTERVAL;
        }
        attempts++;
        if (now - reportAt >= 0) {
            log.warn(
                    "The schema registry at {} gives no schemas; trying again until it does. {} failed attempts in {} s; {}",
                    urls,
                    attempts,
                    seconds(now),
                    reason);
            reportAt = now + interval.toNanos();
            interval = interval.multipliedBy(2);
        }
    }

    private long seconds(long now) {
        return Duration.ofNanos(now - since).toSeconds();
    }

    /** An attempt got an answer. */
    void over() {
        if (attempts > 0) {
            log.info(
                    "The schema registry at {} gives schemas again, after {} attempts in {} s",
                    urls,
                    attempts,
                    seconds(clock.nanoTime()));
            attempts = 0;
        }
    }
}
