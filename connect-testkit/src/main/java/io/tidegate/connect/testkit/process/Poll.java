package io.tidegate.connect.testkit.process;

import java.time.Duration;

/** The one place that sleeps: asks a question at an interval until it is answered with yes or time is up. */
public final class Poll {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private Poll() {}

    /** A question that is quick to answer. */
    public interface Condition {
        boolean isMet();
    }

    /**
     * Whether the condition was met within the time. It is asked at least once.
     *
     * @throws ServerException if the thread is interrupted; the flag is set again
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
