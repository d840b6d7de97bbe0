package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.pool.FairTurns;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.http.conn.ConnectionPoolTimeoutException;

/**
 * Lets no more requests begin than a client has connections. A request that waited in the HTTP client itself would fail like
 * one whose node does not answer, and the client would then avoid that node. Any thread.
 */
final class ConnectionTurns {
    private final Duration longest;
    private final FairTurns turns;

    /**
     * All turns are free.
     *
     * @param connections how many requests may run at once
     * @param longest how long a request waits
     */
    ConnectionTurns(int connections, Duration longest) {
        this.turns = new FairTurns(connections);
        this.longest = requireNonNull(longest, "longest");
    }

    /**
     * Waits for a turn, which ends with the response, whatever that is.
     *
     * @param user the one that the turn counts for
     * @param response completed with a {@link ConnectionPoolTimeoutException} if there is no turn in time
     * @return false if the response is complete, so that the request must not begin
     */
    boolean take(String user, CompletableFuture<?> response) throws InterruptedException {
        FairTurns.Turn turn = turns.request(user);
        CompletableFuture<?> unused = response.whenComplete((answer, failure) -> turn.end());
        if (!turn.await(longest)) {
            response.completeExceptionally(new ConnectionPoolTimeoutException(
                    "all connections were in use for " + longest.toMillis() + " ms"));
        }
        return !response.isDone();
    }

    /** How many requests wait. */
    int waiting() {
        return turns.waiting();
    }
}
