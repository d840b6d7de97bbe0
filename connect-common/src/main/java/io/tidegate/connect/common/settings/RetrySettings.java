package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How long and how often a batch is written again while the server cannot take it.
 *
 * @param maxRetries retries before the task fails; {@link #UNLIMITED} for no end
 * @param backoff upper bound of the pause before the first retry; it doubles from one to the next
 * @param maxBackoff upper bound of the pauses
 * @param timeout how long an outage may last before the task fails; zero for no end
 */
public record RetrySettings(int maxRetries, Duration backoff, Duration maxBackoff, Duration timeout) {
    public static final String MAX_RETRIES = "max.retries";
    public static final String RETRY_BACKOFF_MS = "retry.backoff.ms";
    public static final String RETRY_BACKOFF_MAX_MS = "retry.backoff.max.ms";
    public static final String RETRY_TIMEOUT_MS = "retry.timeout.ms";

    /** No end to the retries: an outage pauses the task and never fails it. */
    public static final int UNLIMITED = -1;

    public RetrySettings {
        requireNonNull(backoff, "backoff");
        requireNonNull(maxBackoff, "maxBackoff");
        requireNonNull(timeout, "timeout");
    }

    /** With a longest pause of 10 s by default. */
    public static ConfigDef define(ConfigDef def) {
        return define(def, Duration.ofSeconds(10));
    }

    /**
     * Defines the settings.
     *
     * @param maxBackoff the default of the longest pause: how much longer than the outage an outage may seem
     */
    public static ConfigDef define(ConfigDef def, Duration maxBackoff) {
        return new SettingGroup(def, "Outages")
                .integer(MAX_RETRIES, "Retries", UNLIMITED)
                .atLeast(UNLIMITED)
                .medium(
                        "How many times a batch is retried when the server cannot take it, before the task fails. -1: until"
                                + " the server is back.")
                .millis(RETRY_BACKOFF_MS, "Retry backoff", 100)
                .between(1, 600_000)
                .low("Upper bound of the pause before the first retry, in milliseconds. It doubles with each retry."
                        + " The pause is a random part of it, so that tasks do not retry at the same moment.")
                .millis(RETRY_BACKOFF_MAX_MS, "Longest retry backoff", maxBackoff.toMillis())
                .between(1, 600_000)
                .low("Upper bound of the pauses between retries, in milliseconds, except for a slow table of"
                        + " PostgreSQL. A larger `retry.backoff.ms` raises the default.")
                .millis(RETRY_TIMEOUT_MS, "Retry timeout", 0)
                .atLeast(0)
                .low("How long the server may be unable to take a batch before the task fails, in milliseconds. 0"
                        + " means no limit.")
                .configDef();
    }

    /** What does not go together. */
    public Optional<Problem> problem() {
        return Problem.when(
                backoff.compareTo(maxBackoff) > 0,
                RETRY_BACKOFF_MS,
                backoff.toMillis() + " is above " + RETRY_BACKOFF_MAX_MS + "=" + maxBackoff.toMillis()
                        + ", which bounds the pauses: raise that too");
    }

    /** A backoff above the default of the longest pause raises that, unless it is set. */
    public static RetrySettings from(AbstractConfig config) {
        long backoff = config.getLong(RETRY_BACKOFF_MS);
        long most = config.getLong(RETRY_BACKOFF_MAX_MS);
        boolean isSet = config.originals().containsKey(RETRY_BACKOFF_MAX_MS);
        return new RetrySettings(
                config.getInt(MAX_RETRIES),
                Duration.ofMillis(backoff),
                Duration.ofMillis(isSet ? most : Math.max(backoff, most)),
                Duration.ofMillis(config.getLong(RETRY_TIMEOUT_MS)));
    }
}
