package io.tidegate.connect.elasticsearch.write;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
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
    private final Deque<Object> waiting = new ArrayDeque<>(); // in the order of their requests; guarded by this
    private int free; // kilobytes; guarded by this

    BodyMemory(long most, long small) {
        this.most = kilobytes(most);
        this.small = small;
        this.free = this.most;
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
        return takeInTurn(Math.min(most, 1 + kilobytes(GROWTH * bytes)), aborted);
    }

    /** A large body keeps its turn, or small ones would take what becomes free before there is enough for it. */
    private synchronized int takeInTurn(int wanted, BooleanSupplier aborted) throws InterruptedException {
        Object turn = new Object();
        waiting.add(turn);
        try {
            while (waiting.element() != turn || free < wanted) {
                wait(CHECK_MS);
                if (aborted.getAsBoolean()) {
                    throw new CancellationException("the attempt was cancelled");
                }
            }
            free -= wanted;
            return wanted;
        } finally {
            waiting.remove(turn);
            notifyAll();
        }
    }

    /** The number of bodies that wait. */
    synchronized int waiting() {
        return waiting.size();
    }

    synchronized void giveBack(int taken) {
        free += taken;
        notifyAll();
    }
}
