package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How long a request with refused credentials is retried: after a restart Elasticsearch answers every user with 401 until
 * its security index is available. A proxy's own 403, 404 or redirection, a certificate that is not trusted and an answer
 * that is not Elasticsearch's are retried likewise, but only after the server has answered: before that the settings may be
 * wrong. The lanes of a task share it.
 */
public final class UnauthorizedGrace {
    private final Clock clock;
    private final Duration grace;
    private boolean everAccepted; // guarded by this
    private OptionalLong refusedSince = OptionalLong.empty(); // nanoTime; guarded by this

    public UnauthorizedGrace(Clock clock, AccessSettings settings) {
        this.clock = requireNonNull(clock, "clock");
        this.grace = settings.unauthorizedRetry();
    }

    /** The server accepted the credentials. */
    synchronized void accepted() {
        everAccepted = true;
        refusedSince = OptionalLong.empty();
    }

    /** The failed request as it is to be treated: one that was not authorized is retried for a while. */
    synchronized RequestFailure classify(RequestFailure e) {
        if (!e.isUnauthorized() && !(everAccepted && e.isForeignRefusal())) {
            return e;
        }
        long now = clock.nanoTime();
        refusedSince = OptionalLong.of(refusedSince.orElse(now));
        return now - refusedSince.getAsLong() < grace.toNanos()
                ? e.toBeRepeated("if this goes on for longer than " + AccessSettings.UNAUTHORIZED_RETRY_MS + "="
                        + grace.toMillis() + " the task fails")
                : e;
    }
}
