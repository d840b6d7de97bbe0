package io.tidegate.connect.common.task;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of a worker's heap that all tasks of a sink may fill with records. One half is divided into equal shares. The
 * other belongs to the tasks that have something to hold, because most tasks of a large worker are idle. A task's own
 * setting alone does not bound a worker that runs many tasks. Any thread.
 */
final class WorkerMemory {
    /**
     * The fraction of the heap. The rest is for the worker, for fetched records that tasks have not polled yet, and for
     * the values of a poll before they become JSON: as maps they are many times larger.
     */
    private static final int PART = 4;

    /** The memory of this JVM. A plugin's classes are loaded once per worker. */
    static final WorkerMemory WORKER = new WorkerMemory(Runtime.getRuntime().maxMemory() / PART);

    private final long bytes;
    private final AtomicLong held = new AtomicLong(); // by all tasks, as they said last
    private volatile int shares; // written under this

    /** Divides this number of bytes. */
    WorkerMemory(long bytes) {
        this.bytes = bytes;
    }

    /** Adds a task. Its start makes the other shares smaller. */
    synchronized Share join() {
        shares++;
        return new Share();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private synchronized void leave() {
        shares--;
    }

    /** The memory that one task may hold while it runs. */
    final class Share implements AutoCloseable {
        private boolean closed; // guarded by this
        private long said; // guarded by this

        private Share() {}

        /** The task holds this number of bytes. */
        synchronized void holds(long now) {
            if (!closed) {
                held.addAndGet(now - said);
                said = now;
            }
        }

        /**
         * The bytes that the task may hold, with what others hold now. A poll brings its records even if there is no
         * room for them. Therefore room for one poll is kept free, but at most half of the share: a task always
         * continues while something is being written.
         *
         * @param pollBytes what one more poll may bring
         */
        synchronized long besides(long pollBytes) {
            long half = bytes / 2;
            long share = half / Math.max(1, shares) + Math.max(0, half - (held.get() - said));
            return Math.max(share / 2, share - pollBytes);
        }

        /**
         * The bytes that the task would hold with all that no task holds now. It holds more if all together hold too much.
         */
        synchronized long withFree() {
            return said + bytes - held.get();
        }

        /** Closing it again does nothing. */
        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                held.addAndGet(-said);
                said = 0;
                leave();
            }
        }
    }
}
