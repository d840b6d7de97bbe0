package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** A clock for tests without threads: time stands still until somebody waits, and then it is over at once. */
public final class TestClock implements Clock {
    private final AtomicLong now = new AtomicLong(1_000_000_000L);

    @Override
    public long nanoTime() {
        return now.get();
    }

    /** Begins at 1,000. */
    @Override
    public long currentTimeMillis() {
        return now.get() / 1_000_000;
    }

    @Override
    public void awaitSignal(Object monitor, long nanos) {
        now.addAndGet(nanos);
    }

    @Override
    public boolean await(Future<?> future, long nanos) {
        if (!future.isDone()) {
            now.addAndGet(Math.max(0, nanos));
        }
        return future.isDone();
    }

    /** There are no threads to wait for. */
    @Override
    public boolean join(Collection<Future<?>> ends, Duration atMost) {
        throw new UnsupportedOperationException("a test with threads needs another clock");
    }

    public void advance(Duration duration) {
        now.addAndGet(duration.toNanos());
    }
}
