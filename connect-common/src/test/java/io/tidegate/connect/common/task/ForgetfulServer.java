package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.recovery.StoredOffset;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.testing.MemoryOffsetStore;
import io.tidegate.connect.common.testing.OffsetsWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;

/**
 * A server that keeps offsets, is slow, fails, loses answers, takes nothing for one destination for a while, and comes back
 * older than it was, all at random and at any time: between a commit and its answer, after a claim, while nothing happens. Guarded by its monitor.
 */
final class ForgetfulServer {
    private static final int MOST_STATES = 8;

    private final MemoryOffsetStore offsets = new MemoryOffsetStore();
    private final Ledger ledger;
    private final Random random;
    private final double failureRate;
    private double forgetRate;
    private final Map<String, Integer> closed = new HashMap<>(); // for how many more attempts, by destination
    private final List<MemoryOffsetStore.State> past = new ArrayList<>();

    ForgetfulServer(Ledger ledger, Random random, double failureRate, double forgetRate) {
        this.ledger = ledger;
        this.random = random;
        this.failureRate = failureRate;
        this.forgetRate = forgetRate;
    }

    MemoryOffsetStore offsets() {
        return offsets;
    }

    /** What it has of a partition now. */
    Optional<Ledger.Stored> stored(TopicPartition partition) {
        return offsets.entry(partition).map(entry -> new Ledger.Stored(entry.nextOffset(), offsets.most(partition)));
    }

    BatchWriter newWriter() {
        return new OffsetsWriter(
                offsets, document -> ledger.entry(document).kind == Ledger.Kind.POISON, new OffsetsWriter.Trouble() {
                    @Override
                    public void before() throws IOException {
                        trouble();
                    }

                    @Override
                    public void after() throws IOException {
                        trouble();
                    }

                    @Override
                    public Set<String> closed(List<Document> attempted) {
                        return closedNow(attempted);
                    }

                    @Override
                    public void committed(Document document) {
                        ledger.write(document);
                    }
                });
    }

    private void trouble() throws IOException {
        if (isDrawn(0.3)) {
            LockSupport.parkNanos(draw(40_000));
        }
        remember();
        if (isDrawn(forgetRate)) {
            forget();
        }
        if (isDrawn(failureRate / 2)) {
            throw new IOException("down");
        }
    }

    private synchronized Set<String> closedNow(List<Document> attempted) {
        if (random.nextDouble() < failureRate / 4) {
            String destination = attempted.get(random.nextInt(attempted.size())).destination();
            closed.put(destination, 1 + random.nextInt(6));
        }
        Set<String> now = Set.copyOf(closed.keySet());
        closed.replaceAll((destination, attempts) -> attempts - 1);
        closed.values().removeIf(attempts -> attempts == 0);
        return now;
    }

    private synchronized boolean isDrawn(double probability) {
        return random.nextDouble() < probability;
    }

    private synchronized int draw(int bound) {
        return random.nextInt(bound);
    }

    private synchronized void remember() {
        if (forgetRate > 0 && random.nextInt(4) == 0) {
            past.add(offsets.state());
            if (past.size() > MOST_STATES) {
                past.remove(random.nextInt(past.size()));
            }
        }
    }

    /**
     * Comes back as it was at some time, if it knew by then of every partition that it knows now: without an entry it is
     * Kafka's group that says where a task begins.
     */
    synchronized void forget() {
        if (past.isEmpty()) {
            return;
        }
        MemoryOffsetStore.State state = past.get(random.nextInt(past.size()));
        if (state.entries().keySet().containsAll(offsets.state().entries().keySet())) {
            offsets.restore(state);
        }
    }

    synchronized void remembersFromNowOn() {
        forgetRate = 0;
        past.clear();
    }

    /**
     * Whether a log that is made again can be recognised as another one: nothing of it is written, or the last record is
     * known. From now on this server forgets nothing of before.
     */
    synchronized boolean recognisesLogs(TopicPartition partition) {
        Optional<StoredOffset> entry = offsets.entry(partition);
        if (entry.isPresent() && entry.get().lastRecord().isEmpty()) {
            return false;
        }
        past.clear();
        return true;
    }

    /** From now on this server forgets nothing of before. Returns what it has of the partition. */
    synchronized Optional<Ledger.Stored> keeps(TopicPartition partition) {
        past.clear();
        return stored(partition);
    }

    /** The present log may be written, from its beginning. */
    synchronized void accept(TopicPartition partition) {
        begin(partition, 0);
    }

    /** As {@code alterOffsets} does it: another generation begins at an offset. */
    synchronized void begin(TopicPartition partition, long offset) {
        past.clear();
        long generation = offsets.entry(partition).map(StoredOffset::generation).orElse(0L) + 1;
        offsets.set(partition, new StoredOffset(offset, generation, Optional.empty()));
    }

    List<Document> documents(TopicPartition partition) {
        return offsets.documents(partition);
    }
}
