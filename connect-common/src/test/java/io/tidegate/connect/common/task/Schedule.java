package io.tidegate.connect.common.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.task.Ledger.Entry;
import io.tidegate.connect.common.task.Ledger.Kind;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FastClock;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * One task's life, drawn from a seed: its settings, the log it reads, how the server behaves, and when partitions come
 * and go. It drives a {@link SinkPipeline} as Connect's {@code WorkerSinkTask} would: poll and put; before a commit await
 * the reports, then preCommit; on a revocation preCommit, close, then commit what preCommit returned; on a loss only close;
 * after an assignment start from the last commit. In the end everything must be committed.
 */
final class Schedule {
    private static final Clock CLOCK = new FastClock();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** An upper bound of {@code Document.bytesHeld()} of the records drawn here. */
    private static final int MOST_BYTES_OF_A_RECORD = 700;

    /** A position behind the end of a log, which is reset to its beginning with the next poll. */
    private static final int OUT_OF_RANGE = Integer.MAX_VALUE;

    private static final Kind[] RECREATED = {Kind.GOOD, Kind.GOOD, Kind.GOOD, Kind.POISON, Kind.UNMAPPABLE};

    /** Confirms reports some time after they were made, as a producer would. */
    private static final ScheduledExecutorService BROKER = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "broker");
        thread.setDaemon(true);
        return thread;
    });

    private record Report(TopicPartition partition, Future<Void> confirmation) {}

    private final long seed;
    private final Random random;
    private final Ordering ordering;
    private final boolean lastWriteWins;
    private final NullValues nullValues;
    private final FlakyWriter.Refuses refuses;
    private final double failureRate;
    private final int destinations;
    private final LaneSettings laneSettings;
    private final TaskSettings taskSettings;
    private final RetrySettings retrySettings =
            new RetrySettings(RetrySettings.UNLIMITED, Duration.ofMillis(2), Duration.ofMillis(50), Duration.ZERO);
    private final Ledger ledger;
    private final Optional<ForgetfulServer> server;
    private final Map<Integer, Integer> logs = new HashMap<>(); // how often that of a partition was made again
    private final Map<TopicPartition, Long> furthest = new HashMap<>(); // where logs ended that are no more
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final FakeSinkTaskContext context;
    private final Thread driver = Thread.currentThread();
    private final Map<TopicPartition, Long> consumed = new TreeMap<>((a, b) -> a.partition() - b.partition());
    private final Map<TopicPartition, Integer> position = new HashMap<>();
    private final Map<TopicPartition, Long> lastCommitted = new HashMap<>(); // as Connect believes
    private final List<SinkRecord> kept = new ArrayList<>(); // of a put that threw; Connect puts them again
    private final Map<TopicPartition, Long> keptUntil = new HashMap<>();
    private double registryFailureRate;
    private final List<Report> reports = new ArrayList<>();
    private SinkPipeline pipeline;
    private int largestPoll;

    Schedule(long seed) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        boolean hasOffsetStore = seed % 4 == 0;
        this.ordering = hasOffsetStore ? Ordering.PARTITION : one(Ordering.values());
        this.lastWriteWins = random.nextBoolean() && !hasOffsetStore;
        this.nullValues = one(NullValues.values());
        this.refuses = one(FlakyWriter.Refuses.values());
        this.failureRate = random.nextInt(3) * 0.25;
        this.destinations = hasOffsetStore ? 1 : 1 + (int) (seed % 3);
        this.laneSettings = new LaneSettings(
                1 + random.nextInt(8),
                random.nextInt(4) == 0 ? 60 : 100_000,
                Duration.ofMillis(random.nextInt(4) == 0 ? 200 : 0),
                1 + random.nextInt(4),
                ordering);
        this.taskSettings = new TaskSettings(
                "seed-" + seed,
                random.nextInt(3) == 0 ? 3_000 : 1 << 20,
                Duration.ofMillis(random.nextInt(3) * 500L),
                Duration.ofMillis(random.nextInt(3) * 500L),
                true);
        boolean reporting = random.nextInt(8) > 0;
        this.ledger = new Ledger(ordering, lastWriteWins, reporting, hasOffsetStore);
        this.server = hasOffsetStore
                ? Optional.of(new ForgetfulServer(ledger, new Random(seed), failureRate, random.nextInt(3) * 0.02))
                : Optional.empty();
        this.context = reporting ? new FakeSinkTaskContext(this::report) : new FakeSinkTaskContext();
        drawLogs();
        this.registryFailureRate = random.nextInt(3) * 0.25;
        this.pipeline = start();
    }

    private void drawLogs() {
        boolean keysOfManyPartitions = random.nextInt(4) == 0;
        double poisonRate = random.nextInt(3) * 0.1;
        int count = 1 + random.nextInt(4);
        for (int partition = 0; partition < count; partition++) {
            partitions.add(Records.partition(partition));
            long offset = 0;
            int records = random.nextInt(40);
            for (int i = 0; i < records; i++) {
                Optional<String> key = random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of((keysOfManyPartitions ? "" : partition + "-") + random.nextInt(4));
                ledger.append(new Entry(partition, offset, drawKind(poisonRate), key, 0));
                offset += random.nextInt(6) == 0 ? 1 + random.nextInt(5) : 1; // as a compacted topic skips some
            }
        }
    }

    private Kind drawKind(double poisonRate) {
        double dice = random.nextDouble();
        if (dice < poisonRate) {
            return random.nextInt(3) == 0 ? Kind.UNMAPPABLE : Kind.POISON;
        }
        if (dice < poisonRate + 0.1) {
            return Kind.FILTERED;
        }
        if (dice < poisonRate + 0.2 && nullValues == NullValues.IGNORE) {
            return Kind.IGNORED;
        }
        return Kind.GOOD;
    }

    private SinkPipeline start() {
        FakeTarget target = new FakeTarget(this::openWriter, nullValues, lastWriteWins).unwrapping(new Registry());
        if (server.isPresent()) {
            target.keepingOffsets();
        }
        return new SinkPipeline(context, taskSettings, laneSettings, retrySettings, target, CLOCK);
    }

    /** A registry that does not answer now and then. */
    private final class Registry implements DocumentMapper.Unwrapping {
        @Override
        public SinkRecord apply(SinkRecord record) {
            return record;
        }

        @Override
        public void prepare(Collection<SinkRecord> records) {
            if (!records.isEmpty() && random.nextDouble() < registryFailureRate) {
                throw new RetriableException("the registry does not answer");
            }
        }
    }

    private BatchWriter openWriter(int lane) {
        return server.isPresent()
                ? server.get().newWriter()
                : new FlakyWriter(ledger, new Random(seed + lane), refuses, failureRate, lastWriteWins);
    }

    void run() throws InterruptedException {
        try {
            assign(some(partitions));
            int steps = 10 + random.nextInt(40);
            for (int step = 0; step < steps; step++) {
                step();
                ledger.check();
            }
            finish();
        } finally {
            pipeline.stop();
        }
        checkNothingIsLeft();
        server.ifPresent(offsets -> partitions.forEach(
                partition -> ledger.checkStored(partition.partition(), offsets.documents(partition))));
        ledger.check();
    }

    private void step() throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 65) {
            poll(random.nextInt(12));
        } else if (dice < 80) {
            commit(Set.copyOf(consumed.keySet()), false);
        } else if (dice < 90) {
            rebalance();
        } else if (dice < 92) {
            restart();
        } else if (dice < 94 && server.isPresent()) {
            server.get().forget();
        } else if (dice < 95 && server.isPresent()) {
            recreateLog();
        } else {
            LockSupport.parkNanos(random.nextInt(100_000));
        }
    }

    private void rebalance() throws InterruptedException {
        rewind();
        if (consumed.isEmpty() || random.nextBoolean()) {
            assign(some(partitions.stream()
                    .filter(each -> !consumed.containsKey(each))
                    .toList()));
        } else {
            revoke(some(consumed.keySet()), random.nextInt(4) == 0);
        }
    }

    private void restart() throws InterruptedException {
        rewind();
        Set<TopicPartition> all = Set.copyOf(consumed.keySet());
        revoke(all, false);
        pipeline.stop();
        checkNothingIsLeft();
        pipeline = start();
        assign(all);
    }

    /**
     * The topic is deleted and made again. Only one that is not assigned: a consumer that goes on in the middle of the new
     * log tells nobody.
     */
    private void recreateLog() {
        TopicPartition partition = one(partitions.toArray(TopicPartition[]::new));
        boolean isAssigned = consumed.containsKey(partition);
        int records = random.nextInt(60);
        boolean isWritten = server.get().offsets().entry(partition).isPresent();
        if (!server.get().recognisesLogs(partition)
                || (isAssigned && (!isWritten || records >= consumed.get(partition)))) {
            return;
        }
        int log = logs.merge(partition.partition(), 1, Integer::sum);
        furthest.merge(partition, end(partition), Math::max);
        ledger.recreate(partition.partition());
        for (long offset = 0; offset < records; offset++) {
            ledger.append(new Entry(partition.partition(), offset, one(RECREATED), Optional.empty(), log));
        }
        if (!isWritten) {
            ledger.accept(partition.partition(), log);
        }
        position.put(partition, OUT_OF_RANGE); // as far as it is assigned
    }

    /** Ends the task as Connect does it; then somebody accepts the present logs, and it is started again. */
    private void acceptLogs(ConnectException failure) throws InterruptedException {
        if (server.isEmpty() || !failure.getMessage().contains(" is not the log that was written ")) {
            throw failure;
        }
        Set<TopicPartition> all = Set.copyOf(consumed.keySet());
        revoke(all, false);
        pipeline.stop();
        Map<TopicPartition, Long> unused = context.takeRewound();
        for (TopicPartition partition : partitions) {
            int log = logs.getOrDefault(partition.partition(), 0);
            if (failure.getMessage().startsWith(partition + " is not")) {
                if (log == 0) {
                    ledger.violation("failed though no log was made again: " + failure.getMessage());
                }
                ledger.accept(partition.partition(), log);
                server.get().accept(partition);
            }
        }
        pipeline = start();
        assign(all);
    }

    /**
     * So that the sink has a reason to look at what the server forgot last, and a log that is shorter than the offsets shows
     * itself: one that ends where the last record is asked for looks like a log that is waiting for it.
     */
    private void appendToEach() {
        for (TopicPartition partition : partitions) {
            long next = end(partition);
            // Lanes may still write what they took of a log that is no more.
            long last = Math.max(next, furthest.getOrDefault(partition, 0L));
            for (long offset = next; offset <= last; offset++) {
                ledger.append(new Entry(
                        partition.partition(),
                        offset,
                        Kind.GOOD,
                        Optional.empty(),
                        logs.getOrDefault(partition.partition(), 0)));
            }
        }
    }

    private void finish() throws InterruptedException {
        assign(partitions.stream().filter(each -> !consumed.containsKey(each)).toList());
        registryFailureRate = 0;
        server.ifPresent(offsets -> {
            offsets.remembersFromNowOn();
            appendToEach();
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isAllCommitted()) {
            poll(50);
            commit(Set.copyOf(consumed.keySet()), false);
            ledger.check();
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not everything was committed in " + PATIENCE.toSeconds() + " s: " + consumed
                        + " consumed, " + committed() + " committed, " + pipeline.unfinished() + " unfinished, "
                        + pipeline.bytesHeld() + " bytes held");
            }
        }
        revoke(Set.copyOf(consumed.keySet()), false);
    }

    private boolean isAllCommitted() {
        return consumed.entrySet().stream()
                .allMatch(entry -> isRead(entry.getKey())
                        && ledger.committed(entry.getKey().partition()) == entry.getValue());
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        consumed.keySet().forEach(partition -> committed.put(partition, ledger.committed(partition.partition())));
        return committed;
    }

    private boolean isRead(TopicPartition partition) {
        return position.get(partition) == ledger.log(partition.partition()).size();
    }

    private void assign(Collection<TopicPartition> assigned) {
        context.assign(assigned);
        for (TopicPartition partition : assigned) {
            long committed = ledger.committed(partition.partition());
            lastCommitted.put(partition, committed);
            seek(partition, committed);
        }
        if (!assigned.isEmpty()) {
            pipeline.open(assigned);
        }
    }

    private void revoke(Collection<TopicPartition> revoked, boolean lost) throws InterruptedException {
        if (lost) {
            pipeline.close(revoked);
        } else {
            commit(revoked, true);
        }
        context.revoke(revoked);
        consumed.keySet().removeAll(revoked);
        lastCommitted.keySet().removeAll(revoked);
        keptUntil.keySet().removeAll(revoked);
        kept.removeIf(record -> revoked.contains(Records.partition(record.kafkaPartition())));
        for (Report report : reports) {
            if (revoked.contains(report.partition())) {
                report.confirmation().cancel(true);
            }
        }
        reports.removeIf(report -> revoked.contains(report.partition()));
    }

    private void commit(Collection<TopicPartition> these, boolean closing) throws InterruptedException {
        awaitReports(these);
        Map<TopicPartition, OffsetAndMetadata> offered = new HashMap<>();
        these.forEach(partition -> offered.put(partition, new OffsetAndMetadata(consumed.get(partition))));
        Map<TopicPartition, OffsetAndMetadata> offsets = pipeline.preCommit(Map.copyOf(offered));
        if (closing) {
            pipeline.close(these);
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
        ledger.report(entry);
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
        reports.add(new Report(Records.partition(record.kafkaPartition()), confirmation));
        return confirmation;
    }

    /** As Connect does it before each poll: where the task asked for it, the consumer is set back, or ahead. */
    private void rewind() throws InterruptedException {
        if (context.takeCommitRequest()) {
            commit(Set.copyOf(consumed.keySet()), false);
        }
        context.takeRewound().forEach((partition, offset) -> {
            if (consumed.containsKey(partition)) {
                seek(partition, offset);
                lastCommitted.put(partition, offset);
            }
        });
    }

    private void seek(TopicPartition partition, long offset) {
        consumed.put(partition, offset);
        List<Entry> log = ledger.log(partition.partition());
        int index = 0;
        while (index < log.size() && log.get(index).offset < offset) {
            index++;
        }
        position.put(partition, index);
        if (offset > end(partition)) {
            position.put(partition, OUT_OF_RANGE);
        }
    }

    private long end(TopicPartition partition) {
        List<Entry> log = ledger.log(partition.partition());
        return log.isEmpty() ? 0 : log.get(log.size() - 1).offset + 1;
    }

    private void poll(int most) throws InterruptedException {
        rewind();
        try {
            deliver(most);
        } catch (ConnectException e) {
            acceptLogs(e);
        }
    }

    private void deliver(int most) throws InterruptedException {
        if (kept.isEmpty()) {
            for (TopicPartition partition : consumed.keySet()) {
                if (!context.paused().contains(partition)) {
                    read(partition, random.nextInt(most + 1));
                }
            }
        }
        try {
            pipeline.put(new ArrayList<>(kept));
        } catch (RetriableException e) {
            return; // Connect keeps the records, and goes back before it puts them again
        }
        consumed.putAll(keptUntil);
        largestPoll = Math.max(largestPoll, kept.size());
        kept.clear();
        keptUntil.clear();
        long bound = taskSettings.bufferBytes() + (long) largestPoll * MOST_BYTES_OF_A_RECORD;
        if (pipeline.bytesHeld() > bound) {
            ledger.violation(pipeline.bytesHeld() + " bytes held, more than " + bound);
        }
    }

    private void read(TopicPartition partition, int most) {
        List<Entry> log = ledger.log(partition.partition());
        if (position.get(partition) > log.size()) {
            position.put(partition, 0); // auto.offset.reset=earliest
        }
        int first = position.get(partition);
        int end = Math.min(log.size(), first + most);
        for (Entry entry : log.subList(first, end)) {
            keptUntil.put(partition, entry.offset + 1);
            if (entry.kind != Kind.FILTERED) {
                SinkRecord record = record(entry);
                ledger.deliver(entry, record);
                kept.add(record);
            }
        }
        position.put(partition, end);
    }

    private SinkRecord record(Entry entry) {
        boolean isDelete =
                server.isEmpty() && nullValues == NullValues.DELETE && entry.key.isPresent() && entry.offset % 5 == 0;
        String value =
                switch (entry.kind) {
                    case IGNORED -> null;
                    case UNMAPPABLE -> nullValues == NullValues.FAIL ? null : "";
                    default -> isDelete ? null : "{\"offset\":" + entry.offset + ",\"log\":" + entry.log + "}";
                };
        return into(
                timestamp(entry),
                Math.floorMod(entry.key.map(Object::hashCode).orElse((int) entry.offset), destinations),
                Records.record(entry.partition, entry.offset, entry.key.orElse(null), value));
    }

    /** Kafka's own. What is produced into another log has another one. */
    private static long timestamp(Entry entry) {
        return 1_000_000L * (entry.log + 1) + entry.offset;
    }

    /** As a transform would send it to another destination; all records of a key go to one. */
    private static SinkRecord into(long timestamp, int destination, SinkRecord record) {
        return record.newRecord(
                "into-" + destination,
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                null,
                record.value() == null ? null : record.value().toString().getBytes(UTF_8), // as it is in Kafka
                timestamp,
                record.headers());
    }

    private <T> T one(T[] of) {
        return of[random.nextInt(of.length)];
    }

    private <T> List<T> some(Collection<T> all) {
        return all.stream().filter(each -> random.nextBoolean()).toList();
    }

    private void checkNothingIsLeft() {
        if (consumed.isEmpty() && pipeline.bytesHeld() != 0) {
            ledger.violation(pipeline.bytesHeld() + " bytes are held by nothing");
        }
        Thread[] threads = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(threads);
        Arrays.stream(threads, 0, count)
                .filter(Objects::nonNull)
                .filter(thread -> thread.getName().startsWith("tidegate-seed-" + seed + "-"))
                .filter(Thread::isAlive)
                .forEach(thread -> ledger.violation(thread.getName() + " outlives its task"));
    }
}
