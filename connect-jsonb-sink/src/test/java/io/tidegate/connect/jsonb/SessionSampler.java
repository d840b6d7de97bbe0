package io.tidegate.connect.jsonb;

import java.util.List;

/** Counts the pools' sessions on the server again and again, in its own thread and over its own connection. */
final class SessionSampler implements AutoCloseable {
    private final Thread thread;

    SessionSampler(PostgresStore store, List<Integer> seen) {
        thread = new Thread(() -> store.samplePoolSessions(seen), "session-sampler");
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether it still counts; it ends when the server does not answer. */
    boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
