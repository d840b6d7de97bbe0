package io.tidegate.connect.common.time;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Time and waiting as the pipeline sees them, so that tests decide how time passes. */
public interface Clock {
    /** Nanoseconds since some fixed moment, as {@link System#nanoTime()}. */
    long nanoTime();

    /** Milliseconds since 1970 UTC, as {@link System#currentTimeMillis()}: to be compared with times of records and certificates only. */
    long currentTimeMillis();

    /** Waits until the monitor is notified or the time is over; the caller holds the monitor. */
    void awaitSignal(Object monitor, long nanos) throws InterruptedException;

    /**
     * Waits until the future is done or the time is over.
     *
     * @param nanos 0 or less: does not wait
     * @return whether it is done, with or without success
     */
    boolean await(Future<?> future, long nanos) throws InterruptedException;

    /**
     * Waits until threads have ended or the time is over.
     *
     * @param ends done when its thread has ended
     * @param atMost for all of them together
     * @return whether all have ended
     */
    boolean join(Collection<Future<?>> ends, Duration atMost) throws InterruptedException;

    /** The time of this machine. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return System.currentTimeMillis();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the callers loop; this only lets the time pass
        public void awaitSignal(Object monitor, long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.timedWait(monitor, nanos);
        }

        @Override
        public boolean await(Future<?> future, long nanos) throws InterruptedException {
            if (future.isDone() || nanos <= 0) {
                return future.isDone();
            }
            try {
                future.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true;
            }
        }

        @Override
        public boolean join(Collection<Future<?>> ends, Duration atMost) throws InterruptedException {
            long deadline = nanoTime() + atMost.toNanos();
            boolean ended = true;
            for (Future<?> end : ends) {
                ended &= await(end, deadline - nanoTime());
            }
            return ended;
        }
    };
}
