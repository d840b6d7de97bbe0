package io.tidegate.connect.common.task;

/**
 * The part of a worker's heap that all tasks of a sink may fill with records, in equal shares. What a task may hold by its
 * own setting is no bound for a worker that runs many. Any thread.
 */
final class WorkerMemory {
    /**
     * Of the heap. The rest is for the worker, for what the consumers have fetched and tasks have not polled yet, and for the
     * values of a poll until they are JSON: as maps they are many times larger.
     */
    private static final int PART = 4;

    /** Of this JVM: a plugin's classes are loaded once per worker. */
    static final WorkerMemory WORKER = new WorkerMemory(Runtime.getRuntime().maxMemory() / PART);

    private final long bytes;
    private volatile int shares; // written under this

    /** Divides so many bytes. */
    WorkerMemory(long bytes) {
        this.bytes = bytes;
    }

    /** For one more task, whose start makes the others' shares smaller. */
    synchronized Share join() {
        shares++;
        return new Share();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    private synchronized void leave() {
        shares--;
    }

    /** What one task may hold, as long as it runs. */
    final class Share implements AutoCloseable {
        private boolean closed; // guarded by this

        private Share() {}

        /**
         * With the number of tasks that run now. A poll brings its records whatever there is room for, so that room is kept
         * free, but for no more than half of the share: a task always goes on while something is being written.
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
