package io.tidegate.connect.common.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FairTurnsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new ArrayList<>(); // that have not ended
    private final List<String> granted = new ArrayList<>();

    private record Request(String user, FairTurns.Turn turn) {
        boolean isHeld() {
            try {
                return turn.await(Duration.ZERO);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** A table may hold each of a connector's connections for as long as a statement may take. */
    @Test
    void oneOfSeveralMembersLeavesTheLastConnectionToTheOthers() {
        FairTurns turns = new FairTurns(4);
        turns.join("a");
        turns.join("b");
        request(turns, "a", "a", "a", "a");
        assertThat(requests).extracting(Request::isHeld).containsExactly(true, true, true, false);

        request(turns, "b");
        assertThat(requests.get(4).isHeld()).isTrue();
        giveBack("b");
        assertThat(requests.get(3).isHeld()).isFalse();

        turns.leave("b");
        assertThat(requests).extracting(Request::isHeld).containsOnly(true);
    }

    private void request(FairTurns turns, String... users) {
        for (String user : users) {
            requests.add(new Request(user, turns.request(user)));
        }
    }

    /** Ends a turn of each of these users, which gives one to another request. */
    private void giveBack(String... users) {
        for (String user : users) {
            List<Request> held = requests.stream().filter(Request::isHeld).toList();
            Request ended = held.stream()
                    .filter(each -> each.user().equals(user))
                    .findFirst()
                    .orElseThrow();
            ended.turn().end();
            requests.remove(ended);
            requests.stream()
                    .filter(each -> each.isHeld() && !held.contains(each))
                    .forEach(each -> granted.add(each.user()));
        }
    }

    @Test
    void theNextTurnIsThatOfTheUserWhoseLastOneWasTheLongestAgo() {
        FairTurns turns = new FairTurns(1);
        request(turns, "flood", "flood", "flood", "flood", "a", "b", "a");

        giveBack("flood", "a", "b", "flood", "a", "flood");

        assertThat(granted).containsExactly("a", "b", "flood", "a", "flood", "flood");
    }

    @Test
    void theUserThatHoldsFewerComesFirst() {
        FairTurns turns = new FairTurns(3);
        request(turns, "flood", "flood", "flood", "flood", "flood", "other", "other");

        giveBack("flood", "flood");

        assertThat(granted).containsExactly("other", "flood");
    }

    @Test
    void aUserThatComesBackAtOnceDoesNotPassOneThatWaits() {
        FairTurns turns = new FairTurns(1);
        request(turns, "a", "b", "c");
        giveBack("a"); // it is forgotten, and is new when it comes back
        request(turns, "a");

        giveBack("b", "c");

        assertThat(granted).containsExactly("b", "c", "a");
    }

    @Test
    void oneUserTakesAllIfNobodyElseWants() {
        FairTurns turns = new FairTurns(4);
        request(turns, "only", "only", "only", "only", "only");

        assertThat(requests).extracting(Request::isHeld).containsExactly(true, true, true, true, false);
        assertThat(turns.waiting()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWait() {
        FairTurns turns = new FairTurns(1);
        request(turns, "a");
        FairTurns.Turn turn = turns.request("b");
        Future<Boolean> waits = threads.submit(() -> turn.await(LONG));

        threads.shutdownNow();

        assertThatThrownBy(waits::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        turn.end();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void theEndOfATurnEndsItsWait() throws Exception {
        FairTurns turns = new FairTurns(1);
        request(turns, "a");
        FairTurns.Turn turn = turns.request("b");
        Future<Boolean> waits = threads.submit(() -> turn.await(LONG));

        turn.end();
        turn.end();

        assertThat(waits.get()).isFalse();
        assertThat(turns.waiting()).isZero();
        giveBack("a");
        request(turns, "b", "b");
        assertThat(requests).extracting(Request::isHeld).containsExactly(true, false);
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
                    FairTurns.Turn turn = turns.request(user);
                    if (turn.await(Duration.ofNanos(dice.nextInt(200_000)))) {
                        Thread.onSpinWait();
                    }
                    turn.end();
                }
                return null;
            }));
        }
        for (Future<Void> user : users) {
            user.get();
        }

        assertThat(turns.waiting()).isZero();
        request(turns, "last", "last", "last", "last");
        assertThat(requests).extracting(Request::isHeld).containsExactly(true, true, true, false);
    }
}
