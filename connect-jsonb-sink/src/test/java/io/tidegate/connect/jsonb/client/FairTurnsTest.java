package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FairTurnsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> granted = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** Each request waits before the next one is made. */
    private void request(FairTurns turns, String... users) {
        for (String user : users) {
            int before = turns.waiting();
            Future<?> unused = threads.submit(() -> {
                if (turns.take(user, LONG)) {
                    granted.add(user);
                }
                return null;
            });
            await().until(() -> turns.waiting() == before + 1);
        }
    }

    private void giveBack(FairTurns turns, String... users) {
        for (String user : users) {
            int before = granted.size();
            turns.giveBack(user);
            await().until(() -> granted.size() == before + 1);
        }
    }

    @Test
    void theNextTurnIsThatOfTheUserWhoseLastOneWasTheLongestAgo() throws InterruptedException {
        FairTurns turns = new FairTurns(1);
        assertThat(turns.take("flood", LONG)).isTrue();
        request(turns, "flood", "flood", "flood", "a", "b", "a");

        giveBack(turns, "flood", "a", "b", "flood", "a", "flood");

        assertThat(granted).containsExactly("a", "b", "flood", "a", "flood", "flood");
    }

    @Test
    void theUserThatHoldsFewerComesFirst() throws InterruptedException {
        FairTurns turns = new FairTurns(3);
        for (int i = 0; i < 3; i++) {
            assertThat(turns.take("flood", LONG)).isTrue();
        }
        request(turns, "flood", "flood", "other", "other");

        giveBack(turns, "flood", "flood");

        assertThat(granted).containsExactly("other", "flood");
    }

    @Test
    void aUserThatComesBackAtOnceDoesNotPassOneThatWaits() throws InterruptedException {
        FairTurns turns = new FairTurns(1);
        assertThat(turns.take("a", LONG)).isTrue();
        request(turns, "b", "c");
        giveBack(turns, "a"); // it is forgotten, and is new when it comes back
        request(turns, "a");

        giveBack(turns, "b", "c");

        assertThat(granted).containsExactly("b", "c", "a");
    }

    @Test
    void oneUserTakesAllIfNobodyElseWants() throws InterruptedException {
        FairTurns turns = new FairTurns(4);
        for (int i = 0; i < 4; i++) {
            assertThat(turns.take("only", Duration.ZERO)).isTrue();
        }
        assertThat(turns.take("only", Duration.ofMillis(1))).isFalse();
    }

    @Test
    void anInterruptEndsTheWait() throws InterruptedException {
        FairTurns turns = new FairTurns(1);
        assertThat(turns.take("a", LONG)).isTrue();
        Future<Boolean> waits = threads.submit(() -> turns.take("b", LONG));
        await().until(() -> turns.waiting() == 1);

        threads.shutdownNow();

        assertThatThrownBy(waits::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(turns.waiting()).isZero();
    }

    /** Waits end in time, too late or at that very moment. */
    @Test
    void noTurnIsLost() throws Exception {
        FairTurns turns = new FairTurns(3);
        List<Future<Void>> users = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Random dice = new Random(i);
            String user = "user" + i % 4;
            users.add(threads.submit(() -> {
                for (int n = 0; n < 2_000; n++) {
                    if (turns.take(user, Duration.ofNanos(dice.nextInt(200_000)))) {
                        Thread.onSpinWait();
                        turns.giveBack(user);
                    }
                }
                return null;
            }));
        }
        for (Future<Void> user : users) {
            user.get();
        }

        assertThat(turns.waiting()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(turns.take("last", Duration.ZERO)).isTrue();
        }
        assertThat(turns.take("last", Duration.ofMillis(1))).isFalse();
    }
}
