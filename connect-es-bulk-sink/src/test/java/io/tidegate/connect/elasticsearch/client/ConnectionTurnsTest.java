package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.junit.jupiter.api.Test;

final class ConnectionTurnsTest {
    private final List<String> started = new CopyOnWriteArrayList<>();

    /** Waits in another thread. */
    private CompletableFuture<Response> request(ConnectionTurns turns, String name) {
        return request(turns, "connector", name);
    }

    private CompletableFuture<Response> request(ConnectionTurns turns, String user, String name) {
        CompletableFuture<Response> response = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                if (turns.take(user, response)) {
                    started.add(name);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return response;
    }

    private void awaitStarted(String... names) {
        await().untilAsserted(() -> assertThat(started).containsExactly(names));
    }

    @Test
    void noMoreRequestsRunThanThereAreConnections() {
        ConnectionTurns turns = new ConnectionTurns(1, Duration.ofMinutes(1));
        CompletableFuture<Response> first = request(turns, "first");
        awaitStarted("first");
        CompletableFuture<Response> second = request(turns, "second");
        await().until(() -> turns.waiting() == 1);
        CompletableFuture<Response> cancelled = request(turns, "cancelled");
        await().until(() -> turns.waiting() == 2);

        cancelled.cancel(true); // it has no turn to give back
        await().until(() -> turns.waiting() == 1);
        first.cancel(true);
        awaitStarted("first", "second");

        second.completeExceptionally(new AssertionError());
        CompletableFuture<Response> third = request(turns, "third");
        awaitStarted("first", "second", "third");
        assertThat(third).isNotDone();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void aConnectorDoesNotWaitBehindAllLanesOfAnother() {
        ConnectionTurns turns = new ConnectionTurns(1, Duration.ofMinutes(1));
        CompletableFuture<Response> first = request(turns, "first");
        awaitStarted("first");
        for (int waiting = 1; waiting <= 3; waiting++) {
            int expected = waiting;
            CompletableFuture<Response> unused = request(turns, "lane" + waiting);
            await().until(() -> turns.waiting() == expected);
        }
        CompletableFuture<Response> other = request(turns, "other", "other");
        await().until(() -> turns.waiting() == 4);

        first.cancel(true);
        awaitStarted("first", "other");
        other.cancel(true);
        awaitStarted("first", "other", "lane1");
    }

    @Test
    void aRequestThatGetsNoTurnInTimeFailsAsBusy() {
        ConnectionTurns turns = new ConnectionTurns(1, Duration.ofMillis(50));
        CompletableFuture<Response> first = request(turns, "first");
        awaitStarted("first");
        CompletableFuture<Response> second = request(turns, "second");

        assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ConnectionPoolTimeoutException.class)
                .cause()
                .satisfies(
                        cause -> assertThat(ConnectionFailures.of(cause).kind()).isEqualTo(Verdict.Kind.BUSY));

        first.cancel(true);
        CompletableFuture<Response> third = request(turns, "third");
        awaitStarted("first", "third");
        assertThat(third).isNotDone();
    }
}
