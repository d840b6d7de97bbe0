package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A value that is fetched when it is needed, kept, and fetched again shortly before it expires. If that fails, the old value
 * is used until it has expired. Any thread asks; one fetches while the others wait.
 *
 * @param <T> the value
 */
public final class ExpiringValue<T> {
    /** A value is renewed this long before it expires, or after three quarters of its life if that is later. */
    static final Duration AHEAD = Duration.ofMinutes(2);

    /** How long a value is used after a failed attempt to renew it, before the next attempt. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** A value of this age is as good as a new one: several threads may learn at once that the last one was refused. */
    static final Duration FRESH = Duration.ofSeconds(5);

    /**
     * Fetches a value.
     *
     * @param <T> the value
     */
    @FunctionalInterface
    public interface Source<T> {
        Fetched<T> fetch() throws CredentialsException;
    }

    /**
     * A value as it was fetched.
     *
     * @param expires if empty, the value is not kept
     * @param <T> the value
     */
    public record Fetched<T>(T value, Optional<Instant> expires) {
        public Fetched {
            requireNonNull(value, "value");
            requireNonNull(expires, "expires");
        }
    }

    private record Kept<T>(T value, Instant fetched, Instant renew, Instant expires) {
        Kept<T> renewedAt(Instant moment) {
            return new Kept<>(value, fetched, moment, expires);
        }
    }

    private final Source<T> source;
    private final Clock clock;
    private Optional<Kept<T>> kept = Optional.empty(); // guarded by this

    public ExpiringValue(Source<T> source, Clock clock) {
        this.source = requireNonNull(source, "source");
        this.clock = requireNonNull(clock, "clock");
    }

    /**
     * The value.
     *
     * @throws CredentialsException when it cannot be fetched, and the last one has expired
     */
    public synchronized T get() throws CredentialsException {
        Instant now = now();
        if (kept.filter(value -> now.isBefore(value.renew())).isPresent()) {
            return kept.get().value();
        }
        try {
            Fetched<T> fetched = source.fetch();
            kept = fetched.expires().map(expires -> keep(fetched.value(), now, expires));
            return fetched.value();
        } catch (CredentialsException e) {
            kept = kept.filter(value -> now.isBefore(value.expires())).map(value -> value.renewedAt(now.plus(PAUSE)));
            return kept.orElseThrow(() -> e).value();
        }
    }

    private static <T> Kept<T> keep(T value, Instant now, Instant expires) {
        Duration life = Duration.between(now, expires);
        Duration ahead = life.dividedBy(4).compareTo(AHEAD) < 0 ? life.dividedBy(4) : AHEAD;
        return new Kept<>(value, now, expires.minus(ahead), expires);
    }

    /** Drops the value, so that the next caller fetches another one, unless it was fetched just now. */
    public synchronized void forget() {
        Instant now = now();
        kept = kept.filter(value -> now.isBefore(value.fetched().plus(FRESH)));
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.currentTimeMillis());
    }
}
