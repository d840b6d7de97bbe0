package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.util.concurrent.TimeUnit;

/** How long a state lasts now, and how long it has lasted in total. Any thread. */
final class StateTimer {
    private final Clock clock;
    private boolean on; // guarded by this
    private long since; // guarded by this
    private long earlier; // nanoseconds; guarded by this

    StateTimer(Clock clock) {
        this.clock = requireNonNull(clock, "clock");
    }

    synchronized void turn(boolean now) {
        if (now == on) {
            return;
        }
        earlier += present();
        since = clock.nanoTime();
        on = now;
    }

    synchronized boolean isOn() {
        return on;
    }

    private long present() {
        return on ? clock.nanoTime() - since : 0;
    }

    /** Milliseconds since the state began; 0 when it is not on. */
    synchronized long presentMillis() {
        return TimeUnit.NANOSECONDS.toMillis(present());
    }

    synchronized long totalMillis() {
        return TimeUnit.NANOSECONDS.toMillis(earlier + present());
    }
}
