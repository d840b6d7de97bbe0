package io.tidegate.connect.elasticsearch.write;

import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bounds what large request bodies take together in a worker, because they are copies of documents that the tasks hold
 * already. Small bodies are not counted: each lane keeps one. The lanes of all tasks share it.
 */
final class BodyMemory {
    /** The fraction of the heap for large bodies. */
    private static final int PART = 8;

    /** A body of up to this fraction of the heap is small. */
    private static final int SMALL_PART = 128;

    /** A body grows by doubling, and for a moment there are the old and the new array. */
    private static final int GROWTH = 3;

    private static final int KILOBYTE = 1_024;

    /** How long a wait lasts until it is checked whether the attempt is cancelled. */
    private static final long CHECK_MS = 100;

    /** The memory of this JVM. */
    static final BodyMemory WORKER = new BodyMemory(
            Runtime.getRuntime().maxMemory() / PART, Runtime.getRuntime().maxMemory() / SMALL_PART);

    private final int most; // kilobytes
    private final long small;
    private final Semaphore room;

    BodyMemory(long most, long small) {
        this.most = kilobytes(most);
        this.small = small;
        this.room = new Semaphore(this.most, true);
    }

    private static int kilobytes(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / KILOBYTE);
    }

    /**
     * Waits until there is room for a body of this many bytes of JSON. A body that never fits gets all of the memory.
     *
     * @param aborted whether the attempt is cancelled
     * @return what to give back; 0 for a small body
     * @throws CancellationException when the attempt is cancelled
     */
    int take(long bytes, BooleanSupplier aborted) throws InterruptedException {
        if (bytes <= small) {
            return 0;
        }
        int wanted = Math.min(most, 1 + kilobytes(GROWTH * bytes));
        while (!room.tryAcquire(wanted, CHECK_MS, TimeUnit.MILLISECONDS)) {
            if (aborted.getAsBoolean()) {
                throw new CancellationException("the attempt was cancelled");
            }
        }
        return wanted;
    }

    void giveBack(int taken) {
        room.release(taken);
    }
}
