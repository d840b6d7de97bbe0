package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.delivery.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

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
    public void await(Condition condition, long nanos) {
        now.addAndGet(nanos);
    }

    public void advance(Duration duration) {
        now.addAndGet(duration.toNanos());
    }
}
