package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;

/**
 * How many bytes one poll may bring: the most that one has brought lately. One that was large once, as after a pause of the
 * connector, counts for up to twice {@link #WINDOW}. The task thread writes; any thread reads.
 */
final class PollBytes {
    static final Duration WINDOW = Duration.ofMinutes(5);

    private final Clock clock;
    private long begin; // of the window, as nanoTime
    private long before; // the most in the window before
    private long now; // the most in this one
    private volatile long most;

    PollBytes(Clock clock) {
        this.clock = requireNonNull(clock, "clock");
        this.begin = clock.nanoTime();
    }

    /**
     * A poll has brought so much. One that brought nothing says nothing about others.
     *
     * @param isPostponing whether documents are postponed. The large poll that brought them is not forgotten before that ends,
     *     so that there stays room for others beside them
     */
    void brought(long bytes, boolean isPostponing) {
        if (bytes == 0) {
            return;
        }
        long time = clock.nanoTime();
        if (!isPostponing && time - begin >= WINDOW.toNanos()) {
            before = now;
            now = 0;
            begin = time;
        }
        now = Math.max(now, bytes);
        most = Math.max(before, now);
    }

    long most() {
        return most;
    }
}
