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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * One pipeline's life, drawn from a seed: its settings, the log it reads, how the server behaves, and when partitions come
 * and go. {@link SimulatedConnect} drives a {@link SinkPipeline} over a server that is a fake. In the end everything must
 * be committed.
 */
final class Schedule {
    private static final Clock CLOCK = new FastClock();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** An upper bound of {@code Document.bytesHeld()} of the records drawn here. */
    private static final int MOST_BYTES_OF_A_RECORD = 700;

    /** The error of a task that stops in front of a record. */
    private static final Pattern REFUSED = Pattern.compile("[^ ]*-([0-9]+)@([0-9]+) cannot be written: ");

    private static final int MOST_OF_AN_ERROR = 120;

    private static final Kind[] RECREATED = {Kind.GOOD, Kind.GOOD, Kind.GOOD, Kind.POISON, Kind.UNMAPPABLE};

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
    private final boolean toleratesErrors;
    private final Optional<ForgetfulServer> server;
    private final Map<Integer, Integer> logs = new HashMap<>(); // how often that of a partition was made again
    private final Map<TopicPartition, Long> furthest = new HashMap<>(); // where logs ended that are no more
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final Journal journal = new Journal();
    private final SimulatedConnect connect;
    private double registryFailureRate;
    private SinkPipeline pipeline;
    private final AtomicInteger starts = new AtomicInteger(); // lanes open writers

    Schedule(long seed) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        boolean hasOffsetStore = seed % 4 == 0;
        this.ordering = hasOffsetStore ? Ordering.PARTITION : one(Ordering.values());
        this.lastWriteWins = random.nextBoolean() && !hasOffsetStore;
        this.nullValues = one(NullValues.values());
        this.refuses = one(FlakyWriter.Refuses.values());
        this.failureRate = random.nextInt(3) * 0.25;
        this.destinations = 1 + (int) (seed % 3);
        this.laneSettings = new LaneSettings(
                1 + random.nextInt(8),
                random.nextInt(4) == 0 ? 60 : 100_000,
                Duration.ofMillis(random.nextInt(4) == 0 ? 200 : 0),
                1 + random.nextInt(4),
                ordering);
        this.toleratesErrors = random.nextInt(5) > 0;
        this.taskSettings = new TaskSettings(
                "seed-" + seed,
                random.nextInt(3) == 0 ? 3_000 : 1 << 20,
                Duration.ofMillis(random.nextInt(3) * 500L),
                Duration.ofMillis(random.nextInt(3) * 500L),
                toleratesErrors);
        boolean reporting = !toleratesErrors || random.nextInt(8) > 0;
        this.ledger = new Ledger(ordering, lastWriteWins, reporting, hasOffsetStore);
        this.server = hasOffsetStore
                ? Optional.of(new ForgetfulServer(ledger, new Random(seed), failureRate, random.nextInt(3) * 0.02))
                : Optional.empty();
        server.ifPresent(offsets -> ledger.seesOffsets(number -> offsets.stored(Records.partition(number))));
        this.connect = new SimulatedConnect(random, ledger, journal, Records::partition, this::record, reporting);
        boolean isResetToEnd = hasOffsetStore && new Random(seed).nextBoolean();
        if (isResetToEnd) {
            connect.resetToEnd();
        }
        journal.add("ordering " + ordering + ", last write wins " + lastWriteWins + ", null values " + nullValues
                + ", refuses " + refuses + ", failures " + failureRate + ", offsets on the server " + hasOffsetStore
                + ", reset to the end " + isResetToEnd + ", dead letters " + reporting + ", tolerates errors "
                + toleratesErrors + ", " + laneSettings + ", "
                + taskSettings);
        drawLogs();
        this.registryFailureRate = random.nextInt(3) * 0.25;
        this.pipeline = start();
    }

    private void drawLogs() {
        boolean keysOfManyPartitions = random.nextInt(4) == 0;
        int keys = 1 + random.nextInt(4);
        double poisonRate = random.nextInt(3) * 0.1;
        int count = 1 + random.nextInt(4);
        for (int partition = 0; partition < count; partition++) {
            partitions.add(Records.partition(partition));
            long offset = 0;
            int records = random.nextInt(40);
            for (int i = 0; i < records; i++) {
                Optional<String> key = random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of((keysOfManyPartitions ? "" : partition + "-") + random.nextInt(keys));
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
        starts.incrementAndGet();
        FakeTarget target = new FakeTarget(this::openWriter, nullValues, lastWriteWins).unwrapping(new Registry());
        if (server.isPresent()) {
            target.keepingOffsets();
        }
        SinkPipeline started =
                new SinkPipeline(connect.context(), taskSettings, laneSettings, retrySettings, target, CLOCK);
        connect.run(new PipelineTask(started));
        return started;
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
                : new FlakyWriter(ledger, new Random(seed + lane + starts.get()), refuses, failureRate, lastWriteWins);
    }

    /** What happened, for a reader. */
    Journal journal() {
        return journal;
    }

    void run() throws InterruptedException {
        try {
            connect.assign(some(partitions));
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
            connect.commit();
        } else if (dice < 90) {
            rebalance();
        } else if (dice < 92) {
            restart();
        } else if (dice < 94 && server.isPresent()) {
            server.get().forget();
        } else if (dice < 95 && server.isPresent()) {
            recreateLog();
        } else if (dice < 97 && server.isPresent()) {
            expire();
        } else {
            LockSupport.parkNanos(random.nextInt(100_000));
        }
    }

    private void rebalance() throws InterruptedException {
        connect.rewind();
        if (connect.assigned().isEmpty() || random.nextBoolean()) {
            connect.assign(some(partitions.stream()
                    .filter(each -> !connect.assigned().contains(each))
                    .toList()));
        } else {
            connect.revoke(some(connect.assigned()), random.nextInt(4) == 0);
            if (random.nextBoolean()) {
                connect.commit(); // what stays, before anybody delivers again what was taken away
            }
        }
    }

    private void restart() throws InterruptedException {
        connect.rewind();
        Set<TopicPartition> all = connect.revokeAll();
        pipeline.stop();
        checkNothingIsLeft();
        pipeline = start();
        connect.assign(all);
    }

    /**
     * The topic is deleted and made again. Only one that is not assigned: a consumer that goes on in the middle of the new
     * log tells nobody.
     */
    private void recreateLog() {
        TopicPartition partition = one(partitions.toArray(TopicPartition[]::new));
        boolean isAssigned = connect.assigned().contains(partition);
        int records = random.nextInt(60);
        boolean isWritten = server.get().offsets().entry(partition).isPresent();
        if (!server.get().recognisesLogs(partition)
                || (isAssigned && (!isWritten || records >= connect.consumed(partition)))) {
            return;
        }
        int log = logs.merge(partition.partition(), 1, Integer::sum);
        furthest.merge(partition, connect.end(partition), Math::max);
        ledger.recreate(partition.partition());
        for (long offset = 0; offset < records; offset++) {
            ledger.append(new Entry(partition.partition(), offset, one(RECREATED), Optional.empty(), log));
        }
        if (!isWritten) {
            ledger.accept(partition.partition(), log);
        }
        connect.logBeginsAgain(partition);
    }

    /** Retention removes records of a partition that nobody will need. */
    private void expire() {
        TopicPartition partition = one(partitions.toArray(TopicPartition[]::new));
        int number = partition.partition();
        if (ledger.isAccepted(number, logs.getOrDefault(number, 0))) {
            server.get()
                    .keeps(partition)
                    .ifPresent(stored -> connect.expire(partition, Math.min(stored.next(), ledger.committed(number))));
        }
    }

    /** Ends the task as Connect does it; then somebody accepts the present logs, and it is started again. */
    private void acceptLogs(ConnectException failure) throws InterruptedException {
        if (server.isEmpty() || !failure.getMessage().contains(" does not have the records that were written ")) {
            throw failure;
        }
        Set<TopicPartition> all = connect.revokeAll();
        pipeline.stop();
        connect.forgetRewinds();
        for (TopicPartition partition : partitions) {
            int log = logs.getOrDefault(partition.partition(), 0);
            if (failure.getMessage().startsWith(partition + " does not have")) {
                if (log == 0) {
                    ledger.violation("failed though no log was made again: " + failure.getMessage());
                }
                ledger.accept(partition.partition(), log);
                server.get().accept(partition);
            }
        }
        pipeline = start();
        connect.assign(all);
    }

    /**
     * Ends the task as Connect does it. Then somebody starts it again, or sets the offset behind the record that it names;
     * not while the error says that records before it are not written, or the server has lost some since.
     */
    private void goOnPast(int partition, long offset, String error) throws InterruptedException {
        journal.add("failed: " + error.substring(0, Math.min(MOST_OF_AN_ERROR, error.length())));
        boolean isAllBeforeDone = !error.contains(" still wait for their destination");
        ledger.refuse(partition, offset, isAllBeforeDone);
        Set<TopicPartition> all = connect.revokeAll();
        pipeline.stop();
        connect.forgetRewinds();
        checkNothingIsLeft();
        boolean isAnyLost = server.isPresent()
                && !ledger.isStoredBelow(partition, offset, server.get().documents(Records.partition(partition)));
        if (isAllBeforeDone && !isAnyLost && ledger.isRefused(partition, offset) && random.nextInt(3) > 0) {
            journal.add("offset of " + partition + " is set to " + (offset + 1));
            server.ifPresent(offsets -> offsets.begin(Records.partition(partition), offset + 1));
            ledger.pass(partition, offset);
        }
        pipeline = start();
        connect.assign(all);
    }

    /**
     * So that the sink has a reason to look at what the server forgot last, and a log that is shorter than the offsets shows
     * itself: one that ends where the last record is asked for looks like a log that is waiting for it.
     */
    private void appendToEach() {
        for (TopicPartition partition : partitions) {
            connect.resetIfOutOfRange(partition); // else the end might be behind all of a log that was made again
            long next = connect.end(partition);
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
        connect.assign(partitions.stream()
                .filter(each -> !connect.assigned().contains(each))
                .toList());
        registryFailureRate = 0;
        server.ifPresent(offsets -> {
            offsets.remembersFromNowOn();
            appendToEach();
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!connect.isAllCommitted()) {
            poll(50);
            connect.commit();
            ledger.check();
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not everything was committed in " + PATIENCE.toSeconds() + " s: "
                        + connect.progress() + ", " + pipeline.unfinished() + " unfinished, "
                        + pipeline.bytesHeld()
                        + " bytes held");
            }
        }
        connect.revokeAll();
    }

    /** The pipeline as a task that Connect runs. */
    private record PipelineTask(SinkPipeline pipeline) implements SimulatedConnect.Task {
        @Override
        public void put(Collection<SinkRecord> records) throws InterruptedException {
            pipeline.put(records);
        }

        @Override
        public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> offered) {
            return pipeline.preCommit(offered);
        }

        @Override
        public void open(Collection<TopicPartition> partitions) {
            pipeline.open(partitions);
        }

        @Override
        public void close(Collection<TopicPartition> partitions) throws InterruptedException {
            pipeline.close(partitions);
        }
    }

    private void poll(int most) throws InterruptedException {
        try {
            connect.poll(most);
        } catch (ConnectException e) {
            Matcher refused = REFUSED.matcher(e.getMessage());
            if (!toleratesErrors && refused.lookingAt()) {
                goOnPast(Integer.parseInt(refused.group(1)), Long.parseLong(refused.group(2)), e.getMessage());
            } else {
                acceptLogs(e);
            }
        }
        long poll = (long) connect.largestPoll() * MOST_BYTES_OF_A_RECORD;
        long buffer = taskSettings.bufferBytes();
        long bound = buffer + Math.max(buffer / 2, 2 * poll) + poll; // while documents are postponed
        if (pipeline.bytesHeld() > bound) {
            ledger.violation(pipeline.bytesHeld() + " bytes held, more than " + bound);
        }
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

    /** A thread that has left its lane gets another name at once, and may then be another lane's. */
    private boolean staysWithALane(Thread thread) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (thread.isAlive() && thread.getName().startsWith("tidegate-seed-" + seed + "-")) {
            if (System.nanoTime() - deadline > 0) {
                return true;
            }
            LockSupport.parkNanos(10_000);
        }
        return false;
    }

    private void checkNothingIsLeft() {
        if (connect.assigned().isEmpty() && pipeline.bytesHeld() != 0) {
            ledger.violation(pipeline.bytesHeld() + " bytes are held by nothing");
        }
        Thread[] threads = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(threads);
        Arrays.stream(threads, 0, count)
                .filter(Objects::nonNull)
                .filter(this::staysWithALane)
                .forEach(thread -> ledger.violation(thread.getName() + " outlives its task"));
    }
}
