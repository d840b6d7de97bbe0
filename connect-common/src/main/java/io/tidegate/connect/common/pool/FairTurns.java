package io.tidegate.connect.common.pool;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Decides which user of shared connections gets the next free one: the user that holds the fewest, and among those the one
 * whose last turn was the longest ago. So a user with many lanes takes what nobody else wants, and others do not queue
 * behind all of its lanes. One of several members leaves the last connection to the others, because a statement may hold each
 * connection for long. Any thread may use it.
 */
public final class FairTurns {
    /** With fewer connections than this, one that nobody uses would cost too much. */
    private static final int FEWEST_TO_LEAVE_ONE = 4;

    private final int size;
    private final Map<String, Integer> members = new HashMap<>(); // and how often they joined; guarded by this
    private final Map<String, User> users =
            new LinkedHashMap<>(); // who holds or waits for connections; guarded by this
    private int free; // guarded by this
    private long clock; // counts turns in steps of two; guarded by this

    private static final class User {
        private final Deque<Turn> waiting = new ArrayDeque<>(); // in the order of their requests
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

    /** A request for a connection: it waits, then holds one, then ends. */
    public final class Turn {
        private final String user;
        private final CountDownLatch decided = new CountDownLatch(1);
        private boolean isHeld; // guarded by the turns
        private boolean isEnded; // guarded by the turns

        private Turn(String user) {
            this.user = user;
        }

        /**
         * Waits until it is the user's turn. The turn must be ended in any case.
         *
         * @return false if it was not so in time, or if the turn has ended
         */
        public boolean await(Duration most) throws InterruptedException {
            return decided.await(most.toNanos(), TimeUnit.NANOSECONDS) && isHeld();
        }

        private boolean isHeld() {
            synchronized (FairTurns.this) {
                return isHeld && !isEnded;
            }
        }

        /** Ends the wait, or gives the connection to another user. Ending it again does nothing. */
        public void end() {
            FairTurns.this.end(this);
        }
    }

    /** For so many connections. */
    public FairTurns(int size) {
        this.size = size;
        free = size;
    }

    /** Counts a user that may request turns from now on. */
    public synchronized void join(String user) {
        members.merge(user, 1, Integer::sum);
    }

    /** Ends one {@link #join}. */
    public synchronized void leave(String user) {
        members.computeIfPresent(user, (name, times) -> times == 1 ? null : times - 1);
        grant();
    }

    private int mostHeld() {
        return members.size() > 1 && size >= FEWEST_TO_LEAVE_ONE ? size - 1 : size;
    }

    /**
     * Begins to wait for a turn.
     *
     * @param user the one that the turn counts for
     */
    public synchronized Turn request(String user) {
        Turn turn = new Turn(requireNonNull(user, "user"));
        // A new user comes before the one that had the last turn, and after all others.
        users.computeIfAbsent(user, name -> new User(clock - 1)).waiting.add(turn);
        grant();
        return turn;
    }

    private synchronized void end(Turn turn) {
        if (turn.isEnded) {
            return;
        }
        turn.isEnded = true;
        User user = users.get(turn.user);
        if (turn.isHeld) {
            user.held--;
            free++;
            grant();
        } else {
            user.waiting.remove(turn);
            turn.decided.countDown();
        }
        users.computeIfPresent(turn.user, (name, known) -> known.held == 0 && known.waiting.isEmpty() ? null : known);
    }

    private void grant() {
        while (free > 0) {
            Optional<User> next = users.values().stream()
                    .filter(user -> !user.waiting.isEmpty() && user.held < mostHeld())
                    .min(Comparator.comparingInt(User::held).thenComparingLong(User::last));
            if (next.isEmpty()) {
                return;
            }
            clock += 2;
            free--;
            next.get().held++;
            next.get().last = clock;
            Turn turn = next.get().waiting.remove();
            turn.isHeld = true;
            turn.decided.countDown();
        }
    }

    /** The number of turns that wait. */
    public synchronized int waiting() {
        return users.values().stream().mapToInt(user -> user.waiting.size()).sum();
    }
}
