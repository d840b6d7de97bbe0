package io.tidegate.connect.testkit.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits by asking at an interval. No other class of the testkit sleeps. */
public final class Poll {
    /** For what a JVM makes true after seconds of work, which each check delays. */
    public static final Duration LONG_INTERVAL = Duration.ofMillis(200);

    static final Duration INTERVAL = Duration.ofMillis(50);

    private Poll() {}

    /**
     * Waits until the condition, which is cheap to check, is met and returns whether it was. Checks it at least once.
     *
     * @throws ServerException if the thread is interrupted; the interrupt flag is set again
     */
    public static boolean until(BooleanSupplier condition, Duration atMost) {
        return until(condition, INTERVAL, atMost);
    }

    /**
     * Waits as {@link #until(BooleanSupplier, Duration)} does, with another pause between the checks.
     *
     * @throws ServerException if the thread is interrupted; the interrupt flag is set again
     */
    public static boolean until(BooleanSupplier condition, Duration interval, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            pause(interval);
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
