package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.scenarios.Records;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends records at a steady rate from another thread until it is stopped. {@code -Dload.pause.ms=10}
 * makes it more even, for measurements: that is the time between its parts.
 */
final class Load implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(Integer.getInteger("load.pause.ms", 50));

    private final SinkCluster cluster;
    private final String topic;
    private final int rate;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CompletableFuture<Void> end;

    /**
     * A load that begins at once.
     *
     * @param rate in records/s
     */
    Load(SinkCluster cluster, String topic, int rate) {
        this.cluster = cluster;
        this.topic = topic;
        this.rate = rate;
        this.end = CompletableFuture.runAsync(this::send);
    }

    private void send() {
        long start = System.nanoTime();
        try (Records records = cluster.newRecords()) {
            while (!stopped.get()) {
                long due = (System.nanoTime() - start) * rate / 1_000_000_000L;
                records.send(topic, sent.get(), due);
                sent.set(due);
                Poll.pause(PAUSE);
            }
        }
    }

    /** Records that Kafka has. */
    long sent() {
        return sent.get();
    }

    /** Ends the load and returns the number of records sent. */
    long stop() {
        stopped.set(true);
        end.join();
        return sent.get();
    }

    @Override
    public void close() {
        stop();
    }
}
