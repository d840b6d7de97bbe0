package io.tidegate.connect.jsonb.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Decides which of a pool's users gets the next free connection: the one that holds the fewest, and among those the one
 * whose last turn was the longest ago. So a user with many lanes takes what nobody else wants, and others do not queue
 * behind all of its lanes. Any thread may use it.
 */
final class FairTurns {
    private final Map<String, User> users =
            new LinkedHashMap<>(); // who holds or waits for connections; guarded by this
    private int free; // guarded by this
    private long clock; // counts turns in steps of two; guarded by this

    private static final class User {
        private final Deque<CountDownLatch> waiting = new ArrayDeque<>(); // in the order of their requests
        private int held;
        private long last; // the time of the last turn

        User(long last) {
            this.last = last;
        }

        int held() {
            return held;
        }

        long last() {
            return last;
        }
    }

    /** For a pool of so many connections. */
    FairTurns(int size) {
        free = size;
    }

    /**
     * Waits for a turn. After it, the user gives it back.
     *
     * @param user the one that the turn counts for
     * @return false if there was none in time
     * @throws InterruptedException if the thread was interrupted; then there is no turn
     */
    boolean take(String user, Duration most) throws InterruptedException {
        CountDownLatch turn = request(user);
        boolean isTaken = false;
        try {
            isTaken = turn.await(most.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!isTaken) {
                withdraw(user, turn);
            }
        }
        return isTaken;
    }

    private synchronized CountDownLatch request(String user) {
        CountDownLatch turn = new CountDownLatch(1);
        // A new user comes before the one that had the last turn, and after all others.
        users.computeIfAbsent(user, name -> new User(clock - 1)).waiting.add(turn);
        grant();
        return turn;
    }

    private synchronized void withdraw(String user, CountDownLatch turn) {
        if (!users.get(user).waiting.remove(turn)) {
            giveBack(user); // it was granted meanwhile
        }
        forget(user);
    }

    /** Ends a turn. */
    synchronized void giveBack(String user) {
        users.get(user).held--;
        free++;
        grant();
        forget(user);
    }

    private void grant() {
        while (free > 0) {
            Optional<User> next = users.values().stream()
                    .filter(user -> !user.waiting.isEmpty())
                    .min(Comparator.comparingInt(User::held).thenComparingLong(User::last));
            if (next.isEmpty()) {
                return;
            }
            clock += 2;
            free--;
            next.get().held++;
            next.get().last = clock;
            next.get().waiting.remove().countDown();
        }
    }

    private void forget(String user) {
        users.computeIfPresent(user, (name, known) -> known.held == 0 && known.waiting.isEmpty() ? null : known);
    }

    /** The number of threads that wait. */
    synchronized int waiting() {
        return users.values().stream().mapToInt(user -> user.waiting.size()).sum();
    }
}
