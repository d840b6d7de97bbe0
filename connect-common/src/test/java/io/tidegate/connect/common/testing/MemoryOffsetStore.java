package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.recovery.OffsetStore;
import io.tidegate.connect.common.recovery.StoredOffset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** A server in memory that commits rows and next offsets together, and that may come back older than it was. Any thread. */
public final class MemoryOffsetStore implements OffsetStore<IOException> {
    private Map<TopicPartition, StoredOffset> entries = new HashMap<>();
    private Map<TopicPartition, List<Document>> rows = new HashMap<>();
    private final Map<TopicPartition, Long> most = new HashMap<>(); // the highest next offset since one was set
    private Optional<String> down = Optional.empty();
    private int changes; // statements

    /** What the server was at a time. */
    public record State(Map<TopicPartition, StoredOffset> entries, Map<TopicPartition, List<Document>> rows) {
        private State copy() {
            Map<TopicPartition, List<Document>> copied = new HashMap<>();
            rows.forEach((partition, documents) -> copied.put(partition, new ArrayList<>(documents)));
            return new State(new HashMap<>(entries), copied);
        }
    }

    /** The server as it is, to come back to. */
    public synchronized State state() {
        return new State(entries, rows).copy();
    }

    /** The server comes back as it was then. */
    public synchronized void restore(State past) {
        State copy = past.copy();
        entries = copy.entries();
        rows = copy.rows();
    }

    /** From now on every statement fails until {@link #comeUp}. */
    public synchronized void goDown(String message) {
        down = Optional.of(message);
    }

    public synchronized void comeUp() {
        down = Optional.empty();
    }

    private void change() throws IOException {
        changes++;
        requireUp();
    }

    private void requireUp() throws IOException {
        if (down.isPresent()) {
            throw new IOException(down.get());
        }
    }

    /** How many statements that change something have come, with those that failed. */
    public synchronized int changes() {
        return changes;
    }

    public synchronized Optional<StoredOffset> entry(TopicPartition partition) {
        return Optional.ofNullable(entries.get(partition));
    }

    /** As somebody would by hand, or the call that alters offsets. */
    public synchronized void set(TopicPartition partition, StoredOffset entry) {
        entries.put(partition, entry);
        most.put(partition, entry.nextOffset());
    }

    /** The highest next offset that it ever had of a partition since one was {@link #set}; 0 if it had none. */
    public synchronized long most(TopicPartition partition) {
        return most.getOrDefault(partition, 0L);
    }

    private void risen() {
        entries.forEach((partition, entry) -> most.merge(partition, entry.nextOffset(), Math::max));
    }

    public synchronized void remove(TopicPartition partition) {
        entries.remove(partition);
    }

    /** The offsets of the rows of a partition, in the order in which they were written. */
    public synchronized List<Long> rows(TopicPartition partition) {
        return documents(partition).stream().map(Document::offset).toList();
    }

    public synchronized List<Document> documents(TopicPartition partition) {
        return List.copyOf(rows.getOrDefault(partition, List.of()));
    }

    @Override
    public synchronized Map<TopicPartition, StoredOffset> claimKnown(Collection<TopicPartition> partitions)
            throws IOException {
        change();
        partitions.forEach(partition -> entries.computeIfPresent(partition, (same, entry) -> next(entry)));
        return present(partitions);
    }

    private static StoredOffset next(StoredOffset entry) {
        return new StoredOffset(entry.nextOffset(), entry.generation() + 1, entry.lastRecord());
    }

    @Override
    public synchronized Map<TopicPartition, StoredOffset> claim(Map<TopicPartition, Long> firstOffsets)
            throws IOException {
        change();
        firstOffsets.forEach((partition, offset) -> entries.merge(
                partition, new StoredOffset(offset, 1, Optional.empty()), (entry, unused) -> next(entry)));
        risen();
        return present(firstOffsets.keySet());
    }

    @Override
    public synchronized Map<TopicPartition, StoredOffset> read(Collection<TopicPartition> partitions)
            throws IOException {
        requireUp();
        return present(partitions);
    }

    private Map<TopicPartition, StoredOffset> present(Collection<TopicPartition> partitions) {
        Map<TopicPartition, StoredOffset> known = new HashMap<>(entries);
        known.keySet().retainAll(partitions);
        return known;
    }

    @Override
    public synchronized int raise(Collection<Move> moves) throws IOException {
        change();
        List<Move> expected = moves.stream().filter(this::isAsExpected).toList();
        expected.forEach(
                move -> entries.computeIfPresent(move.partition(), (same, entry) -> moved(move, entry.lastRecord())));
        risen();
        return expected.size();
    }

    private boolean isAsExpected(Move move) {
        return entry(move.partition())
                .filter(entry -> entry.generation() == move.present().generation()
                        && entry.nextOffset() == move.present().nextOffset())
                .isPresent();
    }

    private static StoredOffset moved(Move move, Optional<Fingerprint> last) {
        return new StoredOffset(move.nextOffset(), move.present().generation(), last);
    }

    /**
     * Rows, and the offsets behind them, or neither.
     *
     * @param moves behind the last of the documents of each partition
     * @return whether all offsets were as expected
     */
    public synchronized boolean commit(Map<Move, Document> moves, List<Document> documents) throws IOException {
        change();
        if (!moves.keySet().stream().allMatch(this::isAsExpected)) {
            return false;
        }
        moves.forEach((move, last) -> entries.put(move.partition(), moved(move, Optional.of(last.fingerprint()))));
        risen();
        documents.forEach(
                document -> rows.computeIfAbsent(document.progress().partition(), partition -> new ArrayList<>())
                        .add(document));
        return true;
    }
}
