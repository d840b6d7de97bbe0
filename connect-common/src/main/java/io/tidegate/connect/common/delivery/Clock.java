package io.tidegate.connect.common.delivery;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Time as the pipeline sees it, so that tests decide how it passes. */
public interface Clock {
    /** Nanoseconds since some fixed moment, as {@link System#nanoTime()}. */
    long nanoTime();

    /** Milliseconds since 1970 UTC, as {@link System#currentTimeMillis()}: to be compared with times of records only. */
    long currentTimeMillis();

    /** Waits until the condition is signalled or the time is over; the caller holds the condition's lock. */
    void await(Condition condition, long nanos) throws InterruptedException;

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
        public void await(Condition condition, long nanos) throws InterruptedException {
            boolean unused = condition.await(nanos, TimeUnit.NANOSECONDS);
        }
    };
}
