package io.tidegate.connect.common.task;

/**
 * The part of a worker's heap that all tasks of a sink may fill with records, in equal shares. A task's own setting
 * alone does not bound a worker that runs many tasks. Any thread.
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

        private Share() {}

        /**
         * The bytes that the task may hold, with the tasks that run now. A poll brings its records even if there is no
         * room for them. Therefore room for one poll is kept free, but at most half of the share: a task always
         * continues while something is being written.
         *
         * @param pollBytes what one more poll may bring
         */
        long besides(long pollBytes) {
            long share = bytes / Math.max(1, shares);
            return Math.max(share / 2, share - pollBytes);
        }

        /** Closing it again does nothing. */
        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                leave();
            }
        }
    }
}
