package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A clock for tests with threads: real time, a thousand times as fast, so that a second's pause costs a millisecond. */
public final class FastClock implements Clock {
    private static final long SPEED = 1_000;

    @Override
    public long nanoTime() {
        return System.nanoTime() * SPEED;
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the callers loop; this only lets the time pass
    public void await(Condition condition, long nanos) throws InterruptedException {
        boolean unused = condition.await(nanos / SPEED + 1, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean await(Future<?> future, long nanos) throws InterruptedException {
        return Clock.SYSTEM.await(future, nanos / SPEED);
    }

    /** In real time: a thread needs it to end. */
    @Override
    public boolean join(Collection<Thread> threads, Duration atMost) throws InterruptedException {
        return Clock.SYSTEM.join(threads, atMost);
    }
}
