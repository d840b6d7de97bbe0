package io.tidegate.connect.common.task;

import io.tidegate.connect.common.task.Ledger.Entry;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Connect's side of one task, as its {@code WorkerSinkTask} behaves: poll and put; before a commit await the reports, then
 * preCommit; on a revocation preCommit, close, then commit what preCommit returned; on a loss only close; after an
 * assignment start from the last commit. The thread that creates it is the task's thread.
 */
public final class SimulatedConnect {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A position behind the end of a log, which is reset with the next poll. */
    private static final int OUT_OF_RANGE = Integer.MAX_VALUE;

    /** Confirms reports some time after they were made, as a producer would. */
    private static final ScheduledExecutorService BROKER = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "broker");
        thread.setDaemon(true);
        return thread;
    });

    /** The callbacks of a task that Connect uses. */
    public interface Task {
        void put(Collection<SinkRecord> records) throws InterruptedException;

        Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> offered);

        void open(Collection<TopicPartition> partitions);

        void close(Collection<TopicPartition> partitions) throws InterruptedException;
    }

    private record Report(TopicPartition partition, Future<Void> confirmation) {}

    private final Random random;
    private final Ledger ledger;
    private final Journal journal;
    private final IntFunction<TopicPartition> names; // by the number of a partition, which no two topics share
    private final Function<Entry, SinkRecord> records;
    private final FakeSinkTaskContext context;
    private final Thread driver = Thread.currentThread();
    private final Map<TopicPartition, Long> consumed = new TreeMap<>((a, b) -> a.partition() - b.partition());
    private final Map<TopicPartition, Integer> position = new HashMap<>();
    private final Map<TopicPartition, Integer> begin = new HashMap<>(); // of a log, where retention has removed records
    private boolean isResetToEnd; // auto.offset.reset=latest instead of earliest
    private final Map<TopicPartition, Long> lastCommitted = new HashMap<>(); // as Connect believes
    private final List<Report> reports = new ArrayList<>();
    private Task task;
    private int largestPoll;
    private int delivered; // to the task that runs, and not to be delivered again
    private int tried; // the same, with those of a put that failed the task
    private int reported;

    /**
     * A worker without a task.
     *
     * @param names the partition with each number
     * @param records what the converters and transforms make of an entry
     * @param reporting whether it has a dead letter queue
     */
    public SimulatedConnect(
            Random random,
            Ledger ledger,
            Journal journal,
            IntFunction<TopicPartition> names,
            Function<Entry, SinkRecord> records,
            boolean reporting) {
        this.random = random;
        this.ledger = ledger;
        this.journal = journal;
        this.names = names;
        this.records = records;
        this.context = reporting ? new FakeSinkTaskContext(this::report) : new FakeSinkTaskContext();
    }

    /** From now on a consumer whose offset is out of range goes to the end of the log. */
    void resetToEnd() {
        isResetToEnd = true;
    }

    public FakeSinkTaskContext context() {
        return context;
    }

    /** From now on this is the task. Nothing may be assigned. */
    public void run(Task started) {
        task = started;
        delivered = 0;
        tried = 0;
        reported = 0;
    }

    /** Compares what the task that runs has counted with what it was given and what it reported. */
    public void compareCounters() {
        long received = counted("records-received-total");
        long refused = counted("records-refused-total");
        long done = counted("records-written-total") + counted("records-skipped-total") + refused;
        if (received < delivered || received > tried) {
            ledger.violation("received " + received + " records of " + delivered + " to " + tried);
        }
        if (counted("dead-letters-total") > reported || refused < reported) {
            ledger.violation(counted("dead-letters-total") + " dead letters and " + refused + " refused records of "
                    + reported + " reports");
        }
        if (done > received) {
            ledger.violation("written, skipped and refused are " + done + " records of " + received);
        }
    }

    private long counted(String metric) {
        return (long) context.shown().value(metric);
    }

    public Set<TopicPartition> assigned() {
        return Set.copyOf(consumed.keySet());
    }

    /** How far a partition is read that is assigned. */
    public long consumed(TopicPartition partition) {
        return consumed.get(partition);
    }

    /** The most records that one put has had. */
    public int largestPoll() {
        return largestPoll;
    }

    /** Gives the task these partitions, from their last commits. */
    public void assign(Collection<TopicPartition> assigned) {
        journal.add("assign " + assigned);
        context.assign(assigned);
        for (TopicPartition partition : assigned) {
            long committed = ledger.committed(partition.partition());
            lastCommitted.put(partition, committed);
            seek(partition, committed);
        }
        if (!assigned.isEmpty()) {
            task.open(assigned);
        }
    }

    /** Takes partitions away: with a last commit, or because they are lost already. */
    public void revoke(Collection<TopicPartition> revoked, boolean lost) throws InterruptedException {
        journal.add((lost ? "lose " : "revoke ") + revoked);
        if (lost) {
            task.close(revoked);
        } else {
            commit(revoked, true);
        }
        context.revoke(revoked);
        consumed.keySet().removeAll(revoked);
        lastCommitted.keySet().removeAll(revoked);
        for (Report report : reports) {
            if (revoked.contains(report.partition())) {
                report.confirmation().cancel(true);
            }
        }
        reports.removeIf(report -> revoked.contains(report.partition()));
    }

    /** Takes all away from a task that has failed or is replaced. What it asked for is forgotten with it. */
    public Set<TopicPartition> revokeAll() throws InterruptedException {
        Set<TopicPartition> all = assigned();
        revoke(all, false);
        return all;
    }

    /** What the consumer was to be set back to is forgotten, as with a task that ends. */
    public void forgetRewinds() {
        Map<TopicPartition, Long> unused = context.takeRewound();
    }

    /** Commits what the task says is done. */
    public void commit() throws InterruptedException {
        commit(assigned(), false);
    }

    private void commit(Collection<TopicPartition> these, boolean closing) throws InterruptedException {
        awaitReports(these);
        Map<TopicPartition, OffsetAndMetadata> offered = new HashMap<>();
        these.forEach(partition -> offered.put(partition, new OffsetAndMetadata(consumed.get(partition))));
        Map<TopicPartition, OffsetAndMetadata> offsets = task.preCommit(Map.copyOf(offered));
        if (closing) {
            task.close(these);
        }
        if (!offered.keySet().containsAll(offsets.keySet())) {
            ledger.violation("offsets " + offsets + " of partitions that were not offered: " + offered);
        }
        offsets.forEach((partition, offset) -> {
            if (offset.offset() > consumed.get(partition)) {
                ledger.violation("offset " + offset.offset() + " of " + partition + " is past "
                        + consumed.get(partition) + ", which was consumed");
            }
        });
        commitWithConnectsOwn(offsets, these);
    }

    /** Connect commits for the other partitions what it believes to be committed: where it was last set back to. */
    private void commitWithConnectsOwn(
            Map<TopicPartition, OffsetAndMetadata> offsets, Collection<TopicPartition> these) {
        Map<TopicPartition, Long> all = new HashMap<>(lastCommitted);
        all.keySet().retainAll(these);
        offsets.forEach((partition, offset) -> all.put(partition, offset.offset()));
        Map<TopicPartition, Long> before = new HashMap<>(lastCommitted);
        before.keySet().retainAll(these);
        if (!offsets.isEmpty() && !all.equals(before)) {
            journal.add("commit " + all);
            all.forEach((partition, offset) -> ledger.commit(partition.partition(), offset));
            lastCommitted.putAll(all);
        }
    }

    private void awaitReports(Collection<TopicPartition> these) throws InterruptedException {
        for (Report report : reports) {
            if (these.contains(report.partition())) {
                try {
                    report.confirmation().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    throw new AssertionError(e);
                }
            }
        }
        reports.removeIf(report -> these.contains(report.partition()));
    }

    private Future<Void> report(SinkRecord record, Throwable error) {
        if (Thread.currentThread() != driver) {
            ledger.violation("a report by " + Thread.currentThread().getName());
        }
        Entry entry = ledger.entry(record);
        journal.add("dead letter " + entry);
        ledger.report(entry);
        reported++;
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        Runnable confirm = () -> {
            ledger.confirm(entry);
            confirmation.complete(null);
        };
        if (random.nextBoolean()) {
            confirm.run();
        } else {
            Future<?> unused = BROKER.schedule(confirm, random.nextInt(600), TimeUnit.MICROSECONDS);
        }
        reports.add(new Report(names.apply(entry.partition), confirmation));
        return confirmation;
    }

    /** As Connect does it before each poll: where the task asked for it, the consumer is set back, or ahead. */
    public void rewind() throws InterruptedException {
        if (context.takeCommitRequest()) {
            commit();
        }
        context.takeRewound().forEach((partition, offset) -> {
            if (consumed.containsKey(partition)) {
                journal.add("rewind " + partition + " to " + offset);
                seek(partition, offset);
                lastCommitted.put(partition, offset);
            }
        });
    }

    private void seek(TopicPartition partition, long offset) {
        consumed.put(partition, offset);
        position.put(partition, offset > end(partition) ? OUT_OF_RANGE : indexOf(partition, offset));
    }

    private int indexOf(TopicPartition partition, long offset) {
        List<Entry> log = ledger.log(partition.partition());
        int index = 0;
        while (index < log.size() && log.get(index).offset < offset) {
            index++;
        }
        return index;
    }

    /** Retention removes the records below this offset. */
    void expire(TopicPartition partition, long offset) {
        journal.add("retention of " + partition + " up to " + offset);
        begin.merge(partition, indexOf(partition, offset), Math::max);
    }

    /** The offset behind the last record of a log. */
    public long end(TopicPartition partition) {
        List<Entry> log = ledger.log(partition.partition());
        return log.isEmpty() ? 0 : log.get(log.size() - 1).offset + 1;
    }

    /** The log was made again while it is assigned or not. The next poll finds that its offset is out of range. */
    public void logBeginsAgain(TopicPartition partition) {
        position.put(partition, OUT_OF_RANGE);
        begin.remove(partition);
    }

    /**
     * One round of the worker's loop.
     *
     * @param most records of each partition
     */
    public void poll(int most) throws InterruptedException {
        rewind();
        List<SinkRecord> batch = new ArrayList<>();
        Map<TopicPartition, Long> until = new HashMap<>();
        for (TopicPartition partition : consumed.keySet()) {
            if (!context.paused().contains(partition)) {
                read(partition, random.nextInt(most + 1), batch, until);
            }
        }
        tried += batch.size();
        task.put(batch);
        if (!batch.isEmpty()) {
            journal.add("put up to " + until);
        }
        delivered += batch.size();
        consumed.putAll(until);
        largestPoll = Math.max(largestPoll, batch.size());
    }

    /** As a consumer does it when it is told that the log does not have its offset. */
    void resetIfOutOfRange(TopicPartition partition) {
        int end = ledger.log(partition.partition()).size();
        int present = position.getOrDefault(partition, 0);
        int begins = begin.getOrDefault(partition, 0);
        if (present > end || present < begins) {
            position.put(partition, isResetToEnd ? end : begins);
        }
    }

    private void read(TopicPartition partition, int most, List<SinkRecord> batch, Map<TopicPartition, Long> until) {
        List<Entry> log = ledger.log(partition.partition());
        resetIfOutOfRange(partition);
        int first = position.get(partition);
        int end = Math.min(log.size(), first + most);
        for (Entry entry : log.subList(first, end)) {
            until.put(partition, entry.offset + 1);
            if (entry.kind != Ledger.Kind.FILTERED) {
                SinkRecord record = records.apply(entry);
                ledger.deliver(entry, record);
                batch.add(record);
            }
        }
        position.put(partition, end);
    }

    /** Whether the logs of all assigned partitions are read to their ends, and committed. */
    public boolean isAllCommitted() {
        return consumed.entrySet().stream()
                .allMatch(entry -> entry.getValue() >= end(entry.getKey())
                        && ledger.committed(entry.getKey().partition()) == entry.getValue());
    }

    /** How far everything is, for messages. */
    public String progress() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        consumed.keySet().forEach(partition -> committed.put(partition, ledger.committed(partition.partition())));
        return consumed + " consumed, " + committed + " committed";
    }
}
