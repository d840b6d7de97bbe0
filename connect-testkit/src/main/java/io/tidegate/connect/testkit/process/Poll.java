package io.tidegate.connect.testkit.process;

import java.time.Duration;

/** Waits by asking at an interval. No other class of the testkit sleeps. */
public final class Poll {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private Poll() {}

    /** A condition that is cheap to check. */
    public interface Condition {
        boolean isMet();
    }

    /**
     * Waits until the condition is met and returns whether it was. Checks it at least once.
     *
     * @throws ServerException if the thread is interrupted; the interrupt flag is set again
     */
    public static boolean until(Condition condition, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.isMet()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            pause(INTERVAL);
        }
        return true;
    }

    public static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw interrupted("a wait", e);
        }
    }

    public static ServerException interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new ServerException("Interrupted: " + what, cause);
    }
}
