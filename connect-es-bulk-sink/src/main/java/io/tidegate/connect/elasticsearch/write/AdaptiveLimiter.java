package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Limits how many requests a task has in flight and how many documents each holds, so that the server can keep up. If
 * the server is overloaded or too slow, the limits halve (multiplicative decrease). While requests succeed they grow
 * step by step (additive increase), up to the bounds in the settings. The lanes of a task share it.
 *
 * <p>The number of requests halves before their size, because the server's queue is full. Both halve at once if there
 * was no response in time. The size grows first.
 */
public final class AdaptiveLimiter {
    /** The least number of documents that a request is limited to. */
    static final int MIN_ROWS = 50;

    /** The least number of bytes that a request is limited to. */
    static final long MIN_BYTES = 64 << 10;

    private static final int STEPS = 10;

    private final Clock clock;
    private final int maxInFlight;
    private final int maxRows;
    private final Duration slow;

    private int inFlightBound; // guarded by this
    private int rowsBound; // guarded by this
    private long bytesBound = Long.MAX_VALUE; // guarded by this
    private int inFlight; // guarded by this
    private int successesInARow; // guarded by this
    private long ignoreUntil; // guarded by this
    private long rejections; // guarded by this

    /**
     * Starts with the limits of the settings.
     *
     * @param slow requests that take longer are too large
     */
    public AdaptiveLimiter(Clock clock, int maxInFlight, int maxRows, Duration slow) {
        this.clock = requireNonNull(clock, "clock");
        this.maxInFlight = maxInFlight;
        this.maxRows = maxRows;
        this.slow = requireNonNull(slow, "slow");
        this.inFlightBound = maxInFlight;
        this.rowsBound = maxRows;
        this.ignoreUntil = clock.nanoTime();
    }

    /** Most documents of the next request. Any thread. */
    synchronized int rows() {
        return rowsBound;
    }

    /**
     * Most bytes of JSON of the next request; without a limit until the server found a request too large. Any thread.
     */
    synchronized long bytes() {
        return bytesBound;
    }

    /** Most requests in flight now. Any thread. */
    synchronized int inFlightBound() {
        return inFlightBound;
    }

    /** Requests that are in flight. Any thread. */
    synchronized int inFlight() {
        return inFlight;
    }

    /** Requests that were rejected, in whole or in part, because the server had no room. Any thread. */
    synchronized long rejections() {
        return rejections;
    }

    /**
     * Waits until one more request may be sent; {@link #end} must follow.
     *
     * @param aborted whether the attempt is cancelled
     * @throws CancellationException when it is
     */
    synchronized void begin(BooleanSupplier aborted) throws InterruptedException {
        while (inFlight >= inFlightBound) {
            if (aborted.getAsBoolean()) {
                throw new CancellationException("the attempt was cancelled");
            }
            wait();
        }
        inFlight++;
    }

    /** Ends a request that {@link #begin} admitted, whatever its result. */
    synchronized void end() {
        inFlight--;
        notifyAll();
    }

    /** Makes the waiting threads check again whether they are cancelled. */
    synchronized void wake() {
        notifyAll();
    }

    /** The server accepted a request. */
    synchronized void succeeded(int rows, Duration took) {
        if (took.compareTo(slow) > 0) {
            slowDown(rows, took);
        } else if (++successesInARow >= inFlightBound) {
            successesInARow = 0;
            speedUp();
        }
    }

    /** The server rejected a request because it had no room. */
    synchronized void rejected(int rows, Duration took) {
        rejections++;
        slowDown(rows, took);
    }

    /**
     * The server rejected a part of a request because it had no room. The rest of an earlier request is sent again in
     * small requests. These say nothing about the size.
     */
    synchronized void rejectedInPart(int rows, Duration took) {
        rejections++;
        slowDown(2L * rows < rowsBound ? 0 : rowsBound, took);
    }

    /** The server had no room for documents of one destination, but for those of others. The limits do not change. */
    synchronized void rejectedElsewhere() {
        rejections++;
    }

    /**
     * Neither the server nor a proxy before it responded in time. The server may still work on the request. A request
     * that took long is not sent again at the same size.
     */
    synchronized void unanswered(int rows, Duration took) {
        if (slowDown(rows, took) && took.compareTo(slow) > 0) {
            shrink(rows);
        }
    }

    /**
     * The server, or a proxy before it, never accepts a request of that size. Requests stay below half of it, because
     * the body contains more than the JSON.
     */
    synchronized void tooLarge(long bytes) {
        bytesBound = Math.max(MIN_BYTES, Math.min(bytesBound, bytes / 2));
    }

    /**
     * Slows down, but ignores requests that were sent before the last change, because they do not show its effect.
     *
     * @return whether the number of requests was halved
     */
    private boolean slowDown(int rows, Duration took) {
        successesInARow = 0;
        long now = clock.nanoTime();
        if (now - ignoreUntil < 0) {
            return false;
        }
        ignoreUntil = now + took.toNanos();
        if (inFlightBound == 1) {
            shrink(rows);
            return false;
        }
        inFlightBound = (inFlightBound + 1) / 2;
        return true;
    }

    /** Halves the size. A request as small as the lowest limit says nothing about the size. */
    private void shrink(int rows) {
        int least = Math.min(MIN_ROWS, maxRows);
        if (rows > least) {
            rowsBound = Math.max(least, Math.min(rows, rowsBound) / 2);
        }
    }

    private void speedUp() {
        if (rowsBound < maxRows) {
            rowsBound = Math.min(maxRows, rowsBound + Math.max(1, maxRows / STEPS));
        } else if (inFlightBound < maxInFlight) {
            inFlightBound++;
            notifyAll();
        }
    }
}
