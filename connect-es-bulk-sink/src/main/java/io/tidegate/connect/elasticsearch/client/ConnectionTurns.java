package io.tidegate.connect.elasticsearch.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.http.conn.ConnectionPoolTimeoutException;

/**
 * Lets no more requests begin than a client has connections; the others wait in their order. A request that waited in the
 * HTTP client itself would fail like one whose node does not answer, and the client would then avoid that node. Any thread.
 */
final class ConnectionTurns {
    private final Duration longest;
    private final Deque<Turn> waiting = new ArrayDeque<>(); // guarded by this
    private int free; // guarded by this

    private static final class Turn {
        private final CountDownLatch decided = new CountDownLatch(1);
        private boolean isTaken; // guarded by the turns
    }

    /**
     * All turns are free.
     *
     * @param connections how many requests may run at once
     * @param longest how long a request waits
     */
    ConnectionTurns(int connections, Duration longest) {
        this.free = connections;
        this.longest = longest;
    }

    /**
     * Waits for a turn, which ends with the response, whatever that is.
     *
     * @param response completed with a {@link ConnectionPoolTimeoutException} if there is no turn in time
     * @return false if the response is complete, so that the request must not begin
     */
    boolean take(CompletableFuture<?> response) throws InterruptedException {
        Turn turn = request();
        CompletableFuture<?> unused = response.whenComplete((answer, failure) -> end(turn));
        if (!turn.decided.await(longest.toNanos(), TimeUnit.NANOSECONDS) && isGivenUp(turn)) {
            response.completeExceptionally(new ConnectionPoolTimeoutException(
                    "all connections were in use for " + longest.toMillis() + " ms"));
        }
        return !response.isDone();
    }

    private synchronized Turn request() {
        Turn turn = new Turn();
        if (free == 0) {
            waiting.add(turn);
        } else {
            free--;
            give(turn);
        }
        return turn;
    }

    private static void give(Turn turn) {
        turn.isTaken = true;
        turn.decided.countDown();
    }

    private synchronized boolean isGivenUp(Turn turn) {
        return waiting.remove(turn);
    }

    private synchronized void end(Turn turn) {
        if (turn.isTaken) {
            Optional.ofNullable(waiting.poll()).ifPresentOrElse(ConnectionTurns::give, () -> free++);
        } else {
            waiting.remove(turn);
            turn.decided.countDown();
        }
    }

    /** How many requests wait. */
    synchronized int waiting() {
        return waiting.size();
    }
}
