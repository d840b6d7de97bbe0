package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock for tests with threads: real time, a thousand times as fast, so that a second's pause costs a millisecond. */
public final class FastClock implements Clock {
    private static final long SPEED = 1_000;

    private final AtomicLong passed = new AtomicLong();

    @Override
    public long nanoTime() {
        return System.nanoTime() * SPEED + passed.get();
    }

    /** So much time passes at once. */
    public void pass(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the callers loop; this only lets the time pass
    public void awaitSignal(Object monitor, long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedWait(monitor, nanos / SPEED + 1);
    }

    @Override
    public boolean await(Future<?> future, long nanos) throws InterruptedException {
        return Clock.SYSTEM.await(future, nanos / SPEED);
    }

    /** In real time: a thread needs it to end. */
    @Override
    public boolean join(Collection<Future<?>> ends, Duration atMost) throws InterruptedException {
        return Clock.SYSTEM.join(ends, atMost);
    }
}
