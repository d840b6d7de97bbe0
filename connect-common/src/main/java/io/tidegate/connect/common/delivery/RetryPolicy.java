package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.RetrySettings;
import java.time.Duration;
import java.util.Optional;

/** Decides when to retry and when to give up. Pure: the caller passes the attempts, the time and the random number. */
public final class RetryPolicy {
    private static final int PARTS = 4;

    private final RetrySettings settings;

    public RetryPolicy(RetrySettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    /**
     * How long to wait before the next attempt: a random part of a bound that doubles with every attempt (full jitter).
     * A longer time that the server asks for (RFC 9110, Retry-After) counts, up to the longest pause of the settings.
     *
     * @param attempts failed attempts in a row, at least 1
     * @param dice from 0 (inclusive) to 1 (exclusive)
     */
    Duration pause(int attempts, double dice, Optional<Duration> retryAfter) {
        long bound = settings.backoff().toNanos();
        long most = settings.maxBackoff().toNanos();
        for (int doubling = 1; doubling < attempts && bound < most; doubling++) {
            bound *= 2;
        }
        Duration jittered = Duration.ofNanos((long) (Math.min(bound, most) * dice));
        return retryAfter
                .map(asked -> asked.compareTo(settings.maxBackoff()) > 0 ? settings.maxBackoff() : asked)
                .filter(asked -> asked.compareTo(jittered) > 0)
                .orElse(jittered);
    }

    /** A pause for another reason than a failure, which leaves time for some attempts. */
    Duration bounded(Duration pause) {
        Duration part = settings.timeout().dividedBy(PARTS);
        return settings.timeout().isZero() || pause.compareTo(part) <= 0 ? pause : part;
    }

    /**
     * Which setting forbids another attempt, if one does.
     *
     * @param attempts failed attempts in a row, at least 1
     * @param elapsed since the first of them
     */
    Optional<String> forbidden(int attempts, Duration elapsed) {
        if (settings.maxRetries() != RetrySettings.UNLIMITED && attempts > settings.maxRetries()) {
            return Optional.of(RetrySettings.MAX_RETRIES + "=" + settings.maxRetries());
        }
        if (!settings.timeout().isZero() && elapsed.compareTo(settings.timeout()) >= 0) {
            return Optional.of(
                    RetrySettings.RETRY_TIMEOUT_MS + "=" + settings.timeout().toMillis());
        }
        return Optional.empty();
    }
}
