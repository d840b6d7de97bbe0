package io.tidegate.connect.elasticsearch.write;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Bounds what large request bodies take together in a worker, because they are copies of documents that the tasks hold
 * already. Small bodies are not counted: each lane keeps one. The lanes of all tasks share it.
 */
final class BodyMemory {
    /** The fraction of the heap for large bodies. A body beyond it is built when there is no other. */
    private static final int PART = 8;

    /** A body of up to this fraction of the heap is small. */
    private static final int SMALL_PART = 128;

    /** A body grows by doubling, and for a moment there are the old and the new array. */
    private static final int GROWTH = 3;

    /** The memory of this JVM. */
    static final BodyMemory WORKER = new BodyMemory(
            Runtime.getRuntime().maxMemory() / PART, Runtime.getRuntime().maxMemory() / SMALL_PART);

    private final long most;
    private final long small;
    private long held; // guarded by this

    BodyMemory(long most, long small) {
        this.most = most;
        this.small = small;
    }

    /** Whether a body of this many bytes of JSON is counted, and dropped after its request. */
    boolean isLarge(long bytes) {
        return bytes > small;
    }

    /**
     * Waits until there is room for a large body; {@link #giveBack} must follow.
     *
     * @param aborted whether the attempt is cancelled
     * @throws CancellationException when it is
     */
    synchronized void take(long bytes, BooleanSupplier aborted) throws InterruptedException {
        while (held > 0 && held + GROWTH * bytes > most) {
            if (aborted.getAsBoolean()) {
                throw new CancellationException("the attempt was cancelled");
            }
            wait();
        }
        held += GROWTH * bytes;
    }

    synchronized void giveBack(long bytes) {
        held -= GROWTH * bytes;
        notifyAll();
    }

    /** Makes the waiting threads check again whether they are cancelled. */
    synchronized void wake() {
        notifyAll();
    }
}
