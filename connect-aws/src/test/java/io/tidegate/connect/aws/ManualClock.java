package io.tidegate.connect.aws;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Moves when it is told to. Nobody waits for it. */
final class ManualClock implements Clock {
    private volatile Instant now; // a test's thread writes it

    ManualClock(Instant now) {
        this.now = now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public long nanoTime() {
        return TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli());
    }

    @Override
    public long currentTimeMillis() {
        return now.toEpochMilli();
    }

    @Override
    public void awaitSignal(Object monitor, long nanos) {
        throw new AssertionError("nothing here waits for time");
    }

    @Override
    public boolean await(Future<?> future, long nanos) {
        throw new AssertionError("nothing here waits for time");
    }

    @Override
    public boolean join(Collection<Future<?>> ends, Duration atMost) {
        throw new AssertionError("nothing here waits for time");
    }
}
