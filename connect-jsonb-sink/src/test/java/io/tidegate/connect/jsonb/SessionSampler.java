package io.tidegate.connect.jsonb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Counts the sink's sessions on the server again and again, in its own thread and over its own connection. */
final class SessionSampler implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(20);

    /** A busy server counts a session that was closed for a while. */
    private static final int SAMPLES_THAT_COUNT = 50;

    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread;

    SessionSampler(PostgresStore store) {
        thread = new Thread(() -> store.sampleSinkSessions(seen), "session-sampler");
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether it still counts; it ends when the server does not answer. */
    boolean isAlive() {
        return thread.isAlive();
    }

    /** The most sessions that were there for about a second or longer; 0 if it was never so long. */
    int most() {
        List<Integer> all = List.copyOf(seen);
        int most = 0;
        for (int i = 0; i + SAMPLES_THAT_COUNT <= all.size(); i++) {
            most = Math.max(most, Collections.min(all.subList(i, i + SAMPLES_THAT_COUNT)));
        }
        return most;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
