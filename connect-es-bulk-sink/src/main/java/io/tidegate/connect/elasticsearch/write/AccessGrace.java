package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Verdict;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long a lane treats a closed way to the server as an outage. Once the task has written, its settings were right, and
 * the way may open again: a cluster in a full restart answers 401 and 403 until its security index is available, a proxy
 * shows its own page during maintenance, certificates are replaced node by node. Before that the settings may be wrong,
 * and only what a starting server does is waited for, not long. Time in which the server is away does not count. One lane's
 * thread.
 */
public final class AccessGrace {
    /** How long a server is waited for that has never answered well. */
    static final Duration OF_A_START = Duration.ofSeconds(30);

    /** What counts at most between two attempts. In the rest of a longer time the lane had nothing to write. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    /** Most names that are remembered, because names that depend on records may be many. */
    private static final int MAX_KNOWN = 10_000;

    private final Clock clock;
    private final Duration grace;
    private final int nodes;
    private final AtomicBoolean everWritten;
    private final Map<String, AccessGrace> ofIndexes = new HashMap<>(); // whose creation is forbidden
    private OptionalLong lastFailure = OptionalLong.empty(); // nanoTime; since the server answered well
    private long closed; // nanoseconds before attempts that found the way closed

    /**
     * The grace of one lane.
     *
     * @param everWritten whether a lane of this task has written; all of them share it
     */
    public AccessGrace(Clock clock, AccessSettings settings, int nodes, AtomicBoolean everWritten) {
        this(clock, settings.unauthorizedRetry(), nodes, everWritten);
    }

    private AccessGrace(Clock clock, Duration grace, int nodes, AtomicBoolean everWritten) {
        this.clock = requireNonNull(clock, "clock");
        this.grace = requireNonNull(grace, "grace");
        this.nodes = nodes;
        this.everWritten = requireNonNull(everWritten, "everWritten");
    }

    /** The server answered a bulk request. */
    void accepted() {
        everWritten.set(true);
        lastFailure = OptionalLong.empty();
        closed = 0;
    }

    /** The same failure, as an outage if the way to the server may open again. */
    RequestFailure classify(RequestFailure e) {
        long now = clock.nanoTime();
        long passed = Math.min(now - lastFailure.orElse(now), LONGEST_WAIT.toNanos());
        lastFailure = OptionalLong.of(now);
        if (!mayPass(e.kind())) {
            return e;
        }
        closed += passed;
        Duration limit = everWritten.get() || grace.compareTo(OF_A_START) < 0 ? grace : OF_A_START;
        return closed < limit.toNanos()
                ? e.as(
                        Failure.TRANSIENT,
                        "if this goes on for longer than " + limit.toMillis() + " ms, see "
                                + AccessSettings.UNAUTHORIZED_RETRY_MS + ", the task fails")
                : e;
    }

    /**
     * The same failure to create an index, as one that passes for a while if the user may not create it. Meanwhile only
     * the documents of this index wait: the user may lack the privilege for its name alone.
     */
    RequestFailure classify(String index, RequestFailure e) {
        if (!e.isForbidden()) {
            return e;
        }
        if (ofIndexes.size() >= MAX_KNOWN) {
            ofIndexes.clear();
        }
        RequestFailure classified = ofIndexes
                .computeIfAbsent(index, unknown -> new AccessGrace(clock, grace, nodes, everWritten))
                .classify(e.as(Verdict.Kind.FORBIDDEN));
        return classified.failure() == Failure.TRANSIENT ? classified : e;
    }

    /** The index exists. */
    void exists(String index) {
        ofIndexes.remove(index);
    }

    /** If there are several nodes, the next request goes to another one. */
    private boolean mayPass(Verdict.Kind kind) {
        return switch (kind) {
            case UNAUTHORIZED, UNREADABLE -> true;
            case UNTRUSTED -> nodes > 1 || everWritten.get();
            default -> kind.isAccess() && everWritten.get();
        };
    }
}
