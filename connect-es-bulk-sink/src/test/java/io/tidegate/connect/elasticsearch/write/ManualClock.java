package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Starts at 1970 and moves when it is told to. Nobody waits for it. */
final class ManualClock implements Clock {
    private long now;

    void pass(Duration time) {
        now += time.toNanos();
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(now);
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
