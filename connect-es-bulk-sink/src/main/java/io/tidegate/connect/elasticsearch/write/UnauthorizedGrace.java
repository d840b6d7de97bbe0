package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How long a request with refused credentials is retried: after a restart Elasticsearch answers every user with 401
 * until its security index is available. Other failures are retried in the same way, but only after the server has
 * answered once, because before that the settings may be wrong. They are a proxy's own 403, 404 or redirection, a
 * certificate that is not trusted, and a response that is not Elasticsearch's. With several nodes, a node that cannot
 * prove that it is the server is retried in any case, because the next request goes to another node. The lanes of a
 * task share it.
 */
public final class UnauthorizedGrace {
    private final Clock clock;
    private final Duration grace;
    private final int nodes;
    private boolean everAccepted; // guarded by this
    private OptionalLong refusedSince = OptionalLong.empty(); // nanoTime; guarded by this

    public UnauthorizedGrace(Clock clock, AccessSettings settings, int nodes) {
        this.clock = requireNonNull(clock, "clock");
        this.nodes = nodes;
        this.grace = settings.unauthorizedRetry();
    }

    /** The server accepted the credentials. */
    synchronized void accepted() {
        everAccepted = true;
        refusedSince = OptionalLong.empty();
    }

    /** Classifies a failed request: one that was not authorized is retried for a while. */
    synchronized RequestFailure classify(RequestFailure e) {
        boolean mayPass =
                e.isUnauthorized() || (everAccepted && e.isForeignRefusal()) || (nodes > 1 && e.isForeignNode());
        if (!mayPass) {
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
