package io.tidegate.connect.common.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.Ordering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * What happened in one schedule, and whether it was allowed to. The driver and the lanes write to it; all of it is
 * guarded by its monitor.
 *
 * <ul>
 *   <li>A commit passes a good record only when the record was written, or, where the last write wins, when a later record
 *       with its key was.
 *   <li>A commit passes poison only when its report was confirmed, with the same exception for a later record.
 *   <li>Poison is never written, nothing but poison is reported, and nothing is reported twice between two deliveries.
 *   <li>Committed offsets never pass what was consumed, and are of assigned partitions only. They go back only where the
 *       server keeps offsets: Connect itself commits where it was set back to.
 *   <li>Within one assignment of a partition, first writes to a destination keep its order ({@code ordering=partition}) or
 *       that of each key ({@code key}). Where the last write wins, no write at all lands after one of a later record with its key, but the
 *       order between keys is not promised: of equal keys only the last is sent with its batch.
 *   <li>Where the server keeps offsets, Kafka's group is told nothing that the server never had, and is not set back while the
 *       server lacks rows that it had.
 *   <li>Where the server keeps offsets, which it may forget, every good record is stored exactly once in the end, in order.
 *       Nothing of a log that was made again is written before somebody accepts it.
 * </ul>
 */
public final class Ledger {
    /** What a record is to the sink. */
    public enum Kind {
        GOOD,
        /** The server refuses it. */
        POISON,
        /** The mapper refuses it. */
        UNMAPPABLE,
        /** The mapper passes it over: a null value. */
        IGNORED,
        /** A transform drops it: the sink never sees it. */
        FILTERED
    }

    /** One record of the log. */
    public static final class Entry {
        public final int partition;
        public final long offset;
        public final Kind kind;
        public final Optional<String> key;
        public final int log; // of its partition: each time it is made again, another
        private boolean deletes;
        private long delivered; // when it was last given to the task
        private long written; // when it was last written; 0 for never
        private int reports; // since it was last delivered
        private boolean confirmed;

        public Entry(int partition, long offset, Kind kind, Optional<String> key, int log) {
            this.log = log;
            this.partition = partition;
            this.offset = offset;
            this.kind = kind;
            this.key = key;
        }

        boolean isRefused() {
            return kind == Kind.POISON || kind == Kind.UNMAPPABLE;
        }

        boolean isMapped() {
            return kind == Kind.GOOD || kind == Kind.POISON;
        }

        /** The same without a value, so that it deletes what its key names. */
        public Entry deleting() {
            deletes = true;
            return this;
        }

        public boolean deletes() {
            return deletes;
        }

        /** Whether the task has had it. */
        public boolean isDelivered() {
            return delivered > 0;
        }

        /** Its place, and which log of its partition it is of. No two entries have the same one. */
        public String name() {
            return partition + "@" + offset + "#" + log;
        }

        @Override
        public String toString() {
            return (deletes ? "DELETE" : kind) + " " + partition + "@" + offset + (log == 0 ? "" : " of log " + log)
                    + key.map(each -> " key " + each).orElse("");
        }
    }

    /**
     * The offsets that the server keeps of a partition.
     *
     * @param most the highest one that it ever had of the present log
     */
    record Stored(long next, long most) {}

    private record Sequence(Progress assignment, String destination, String key) {}

    private final Ordering ordering;
    private final boolean lastWriteWins;
    private final boolean reporting;
    private final boolean hasOffsetStore;
    private final Map<Integer, List<Entry>> logs = new HashMap<>();
    private final IdentityHashMap<Headers, Entry> delivered =
            new IdentityHashMap<>(); // a record changes, its headers stay
    private final Map<Integer, Integer> accepted = new HashMap<>(); // the log of each partition that may be written
    private final Map<String, List<Entry>> byKey = new HashMap<>();
    private final Map<Integer, Long> committed = new HashMap<>();
    private final Map<Sequence, Long> lastWritten = new HashMap<>();
    private final Map<Progress, Set<Long>> writtenInAssignment = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Entry> byName = new HashMap<>();
    private IntFunction<Optional<Stored>> stored = partition -> Optional.empty();
    private boolean seesWrites = true;
    private boolean skipsPoison;
    private long now;

    Ledger(Ordering ordering, boolean lastWriteWins, boolean reporting, boolean hasOffsetStore) {
        this.hasOffsetStore = hasOffsetStore;
        this.ordering = ordering;
        this.lastWriteWins = lastWriteWins;
        this.reporting = reporting;
    }

    /** Nobody tells what the server has written, so commits are compared with refusals only. */
    void seesNoWrites() {
        seesWrites = false;
    }

    /** The server keeps offsets, and this is what it has of a partition; empty if it has no entry. */
    void seesOffsets(IntFunction<Optional<Stored>> offsets) {
        stored = offsets;
    }

    /** What the server refuses is skipped without a report. */
    void skipsPoison() {
        skipsPoison = true;
    }

    /** The entry with this name. */
    public synchronized Entry entry(String name) {
        return byName.get(name);
    }

    /** All entries that a log ever had. */
    synchronized List<Entry> everything() {
        return byName.values().stream().toList();
    }

    synchronized void append(Entry entry) {
        logs.computeIfAbsent(entry.partition, partition -> new ArrayList<>()).add(entry);
        byName.put(entry.name(), entry);
        entry.key.ifPresent(
                key -> byKey.computeIfAbsent(key, each -> new ArrayList<>()).add(entry));
    }

    synchronized Entry entry(SinkRecord record) {
        return delivered.get(record.headers());
    }

    Entry entry(Document document) {
        return entry(document.record());
    }

    /** The partition has another log, and Kafka's group no longer has an offset of it. */
    synchronized void recreate(int partition) {
        logs.remove(partition);
        committed.remove(partition);
    }

    /** From now on the present log of the partition may be written. */
    synchronized void accept(int partition, int log) {
        committed.remove(partition);
        accepted.put(partition, log);
    }

    private boolean isAccepted(Entry entry) {
        return isAccepted(entry.partition, entry.log);
    }

    synchronized boolean isAccepted(int partition, int log) {
        return log == accepted.getOrDefault(partition, 0);
    }

    synchronized List<Entry> log(int partition) {
        return logs.getOrDefault(partition, List.of());
    }

    synchronized void deliver(Entry entry, SinkRecord record) {
        delivered.put(record.headers(), entry);
        if (!hasOffsetStore && entry.offset < committed(entry.partition)) {
            violations.add(entry + " was delivered again after its commit");
        }
        entry.delivered = ++now;
        entry.reports = 0;
    }

    /** The server has written it, or keeps it out because it has it or something newer. Any thread. */
    public synchronized void settle(Entry entry) {
        entry.written = ++now;
        if (entry.kind != Kind.GOOD) {
            violations.add(entry + " was written");
        }
    }

    /** The server has deleted what a key names. Nobody knows which deletion did. Any thread. */
    public synchronized void settleDeletions(String key) {
        byKey.getOrDefault(key, List.of()).stream()
                .filter(entry -> entry.deletes && entry.isDelivered())
                .forEach(this::settle);
    }

    synchronized void write(Document document) {
        Entry entry = entry(document);
        settle(entry);
        if (entry.log > accepted.getOrDefault(entry.partition, 0)) {
            violations.add(entry + " was written before its log was accepted");
        }
        boolean first = writtenInAssignment
                .computeIfAbsent(document.progress(), progress -> new HashSet<>())
                .add(entry.offset);
        sequence(document, entry).ifPresent(sequence -> {
            long last = lastWritten.getOrDefault(sequence, -1L);
            if ((first || lastWriteWins) && entry.offset < last) {
                violations.add(entry + " was written after " + last);
            }
            lastWritten.merge(sequence, entry.offset, Math::max);
        });
    }

    /** What this write has to stay in order with. */
    private Optional<Sequence> sequence(Document document, Entry entry) {
        boolean byPartition = ordering == Ordering.PARTITION || entry.key.isEmpty();
        if (ordering == Ordering.NONE || (lastWriteWins && entry.key.isEmpty())) {
            return Optional.empty();
        }
        String key = byPartition && !lastWriteWins ? "" : new String(document.key(), UTF_8);
        return Optional.of(new Sequence(document.progress(), document.destination(), key));
    }

    synchronized void report(Entry entry) {
        if ((skipsPoison && entry.kind == Kind.POISON)
                || (entry.kind != Kind.POISON && entry.kind != Kind.UNMAPPABLE)) {
            violations.add(entry + " was reported");
        }
        if (++entry.reports > 1) {
            violations.add(entry + " was reported " + entry.reports + " times since it was delivered");
        }
    }

    synchronized void confirm(Entry entry) {
        entry.confirmed = true;
    }

    synchronized void commit(int partition, long offset) {
        long before = committed(partition);
        if (offset < before && !hasOffsetStore) {
            violations.add("the offset of " + partition + " went back from " + before + " to " + offset);
        }
        stored.apply(partition).ifPresent(next -> compareWithServer(partition, before, offset, next));
        for (Entry entry : log(partition)) {
            if (entry.offset >= before && entry.offset < offset && isAccepted(entry) && !isDone(entry)) {
                violations.add(entry + " was passed by a commit of " + offset + " before it was done");
            }
        }
        committed.put(partition, offset);
    }

    /** With offsets on the server, which is asked after the commit. */
    private void compareWithServer(int partition, long before, long offset, Stored server) {
        if (offset > before && offset > server.most()) {
            violations.add("Kafka was told offset " + offset + " of " + partition
                    + ", and the server never had more than " + server.most());
        }
        boolean lacksRows = log(partition).stream()
                .anyMatch(entry -> entry.kind == Kind.GOOD && entry.offset >= server.next() && entry.offset < before);
        if (offset <= server.next() && lacksRows) {
            violations.add("Kafka's group was set back from " + before + " to " + offset + " of " + partition
                    + ", so that the next task does not know what the server lost: it has " + server.next());
        }
    }

    private boolean isDone(Entry entry) {
        return switch (entry.kind) {
            case FILTERED, IGNORED -> true;
            case GOOD -> !seesWrites || entry.written > 0 || isSuperseded(entry);
            case POISON -> !reporting || skipsPoison || entry.confirmed || isSuperseded(entry);
            case UNMAPPABLE -> !reporting || entry.confirmed;
        };
    }

    private boolean isSuperseded(Entry entry) {
        return lastWriteWins
                && entry.key.isPresent()
                && (!seesWrites || byKey.get(entry.key.get()).stream().anyMatch(other -> supersedes(other, entry)));
    }

    private static boolean supersedes(Entry later, Entry earlier) {
        return later.partition == earlier.partition
                ? later.offset > earlier.offset && later.written > 0
                : later.delivered > earlier.delivered && later.written > earlier.delivered;
    }

    /**
     * The task has failed in front of this record, of the present log or of one that was there before.
     *
     * @param isAllBeforeDone whether the error claims that all before it is done
     */
    synchronized void refuse(int partition, long offset, boolean isAllBeforeDone) {
        if (byName.values().stream()
                .noneMatch(entry -> entry.partition == partition && entry.offset == offset && entry.isRefused())) {
            violations.add("the task failed in front of " + partition + "@" + offset + ", which nobody refuses");
        }
        for (Entry entry : log(partition)) {
            if (isAllBeforeDone && entry.offset < offset && isAccepted(entry) && !isDone(entry)) {
                violations.add("the task failed in front of " + offset + " before " + entry + " was done");
            }
        }
    }

    /** Whether the present log has a record here that nobody can write. */
    synchronized boolean isRefused(int partition, long offset) {
        return log(partition).stream().anyMatch(entry -> entry.offset == offset && entry.isRefused());
    }

    /** Whether the server still has all rows of the partition below this offset, which it had. */
    synchronized boolean isStoredBelow(int partition, long offset, List<Document> stored) {
        Set<Entry> present = stored.stream().map(this::entry).collect(Collectors.toSet());
        return log(partition).stream()
                .filter(entry -> entry.kind == Kind.GOOD && entry.offset < offset)
                .allMatch(present::contains);
    }

    /** Somebody has set the group's offset behind this record. */
    synchronized void pass(int partition, long offset) {
        log(partition).stream().filter(entry -> entry.offset == offset).forEach(entry -> entry.confirmed = true);
        commit(partition, offset + 1);
    }

    synchronized long committed(int partition) {
        return committed.getOrDefault(partition, 0L);
    }

    /**
     * With offsets every good record of the present log is stored exactly once, in order.
     *
     * @param stored the rows of the partition
     */
    synchronized void checkStored(int partition, List<Document> stored) {
        List<Entry> present =
                stored.stream().map(this::entry).filter(this::isAccepted).toList();
        List<Entry> good =
                log(partition).stream().filter(entry -> entry.kind == Kind.GOOD).toList();
        if (!present.equals(good)) {
            violations.add("stored " + present + " instead of " + good);
        }
    }

    /** A promise was broken. Any thread. */
    public synchronized void violation(String what) {
        violations.add(what);
    }

    /** Fails with the first promises that were broken. */
    synchronized void check() {
        if (!violations.isEmpty()) {
            throw new AssertionError(violations.size() + " broken promises: "
                    + violations.stream().limit(5).toList());
        }
    }
}
