package io.tidegate.connect.common.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.task.Ledger.Entry;
import io.tidegate.connect.common.task.Ledger.Kind;
import io.tidegate.connect.common.testing.FastClock;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The life of one task of a real sink over a server that a test simulates, drawn from a seed: the sink's settings, the logs
 * of two topics, how the server behaves, and when partitions come and go. In the end everything must be committed, and
 * {@link Oracle} compares what the server has. A seed fixes what is drawn; lane threads are real, so it does not fix when.
 */
public final class SinkSchedule {
    private static final Clock CLOCK = new FastClock();
    /** HikariCP sleeps up to 10 s of real time between its attempts to connect, however fast the clock is. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SimulatedSink sink;
    private final Random random;
    private final Plan plan;
    private final Map<String, String> settings = new HashMap<>();
    private final Journal journal = new Journal();
    private final Ledger ledger;
    private final SimulatedConnect connect;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final Map<Integer, Integer> logs = new HashMap<>(); // how often that of a partition was made again
    private final Map<TopicPartition, Long> furthest = new HashMap<>(); // where logs ended that are no more
    private final Set<TopicPartition> unaccepted = new HashSet<>(); // logs that the server knows as others
    private final int destinations;
    private final boolean keysMove;
    private final int padding;
    private final boolean hasTwoTopics;
    private final boolean transformsChange; // then nothing tells another log
    private int transforms;
    private SinkTaskOfType task;

    /** A task whose clock is the schedule's. */
    private static final class SinkTaskOfType extends DocumentSinkTask implements SimulatedConnect.Task {
        SinkTaskOfType(SimulatedSink sink) {
            super(sink.type(), CLOCK);
        }
    }

    private SinkSchedule(long seed, SimulatedSink sink) {
        this.sink = sink;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.plan = drawPlan(seed);
        this.destinations = 1 + random.nextInt(3);
        this.keysMove = plan.keysMayMove() && !plan.versioned() && random.nextInt(3) == 0;
        this.padding = random.nextInt(12) == 0 ? 60_000 : 0;
        this.hasTwoTopics = random.nextBoolean();
        this.transformsChange = random.nextInt(4) == 0;
        boolean reporting = random.nextInt(8) > 0;
        double failureRate = random.nextInt(4) * 0.1;
        Ordering ordering = Ordering.valueOf(settings.get("ordering").toUpperCase(Locale.ROOT));
        this.ledger = new Ledger(ordering, plan.lastWriteWins(), reporting, plan.exactlyOnce());
        if (!sink.tellsWrites()) {
            ledger.seesNoWrites();
        }
        if (plan.skipsPoison()) {
            ledger.skipsPoison();
        }
        this.connect = new SimulatedConnect(random, ledger, journal, this::partition, this::record, reporting);
        journal.add("settings " + settings);
        journal.add("destinations " + destinations + ", keys of many partitions " + keysMove + ", failures "
                + failureRate + ", dead letters " + reporting + ", bytes a record " + padding);
        sink.begin(seed, plan, failureRate, ledger, journal);
        drawLogs();
    }

    private Plan drawPlan(long seed) {
        while (true) {
            Plan drawn = sink.draw(random);
            settings.clear();
            settings.put("name", "seed-" + seed);
            settings.putAll(drawn.settings());
            settings.put("errors.tolerance", "all");
            settings.put("batch.size", Integer.toString(1 + random.nextInt(8)));
            settings.put("batch.max.bytes", random.nextInt(4) == 0 ? "1024" : "100000");
            settings.put("linger.ms", random.nextInt(4) == 0 ? "200" : "0");
            settings.put("max.in.flight.requests", Integer.toString(1 + random.nextInt(4)));
            settings.put("ordering", List.of("partition", "key", "none").get(random.nextInt(3)));
            settings.put("buffer.max.bytes", "1048576");
            settings.put("commit.drain.ms", Integer.toString(random.nextInt(3) * 500));
            settings.putIfAbsent("close.timeout.ms", Integer.toString(random.nextInt(3) * 500));
            settings.put("retry.backoff.ms", "2");
            settings.put("retry.backoff.max.ms", "50");
            if (sink.type().validate(settings).isEmpty()) {
                return drawn;
            }
        }
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(hasTwoTopics && number % 2 == 1 ? "ebbs" : "tides", number);
    }

    private void drawLogs() {
        double poisonRate = random.nextInt(3) * 0.1;
        int count = 1 + random.nextInt(4);
        for (int number = 0; number < count; number++) {
            partitions.add(partition(number));
            long offset = 0;
            int records = random.nextInt(40);
            for (int i = 0; i < records; i++) {
                append(draw(number, offset, poisonRate));
                offset += random.nextInt(6) == 0 ? 1 + random.nextInt(5) : 1; // as a compacted topic skips some
            }
        }
    }

    private void append(Entry entry) {
        ledger.append(entry);
        journal.add("produce " + entry);
    }

    private Entry draw(int number, long offset, double poisonRate) {
        Optional<String> key = plan.ids() != Plan.Ids.KEY && random.nextInt(4) == 0
                ? Optional.empty()
                : Optional.of((keysMove ? "" : number + "-") + random.nextInt(4));
        int log = logs.getOrDefault(number, 0);
        double dice = random.nextDouble();
        if (dice < poisonRate) {
            boolean isMalformed = random.nextInt(3) == 0 && plan.nullValues() == NullValues.FAIL;
            return new Entry(number, offset, isMalformed ? Kind.UNMAPPABLE : Kind.POISON, key, log);
        }
        if (dice < poisonRate + 0.1) {
            return new Entry(number, offset, Kind.FILTERED, key, log);
        }
        if (dice < poisonRate + 0.2 && plan.nullValues() == NullValues.IGNORE) {
            return new Entry(number, offset, Kind.IGNORED, key, log);
        }
        Entry good = new Entry(number, offset, Kind.GOOD, key, log);
        return dice < poisonRate + 0.3 && plan.nullValues() == NullValues.DELETE && key.isPresent()
                ? good.deleting()
                : good;
    }

    private SinkRecord record(Entry entry) {
        boolean isNull = entry.deletes() || entry.kind == Kind.IGNORED || entry.kind == Kind.UNMAPPABLE;
        TopicPartition partition = partition(entry.partition);
        SinkRecord record = new SinkRecord(
                partition.topic(),
                partition.partition(),
                Schema.OPTIONAL_STRING_SCHEMA,
                entry.key.orElse(null),
                null,
                isNull ? null : (json(entry) + " ".repeat(transforms)).getBytes(UTF_8),
                entry.offset,
                1_000_000L * (entry.log + 1) + entry.offset,
                TimestampType.CREATE_TIME);
        return record.newRecord(
                destination(entry),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                null,
                record.value(),
                record.timestamp(),
                record.headers());
    }

    private String json(Entry entry) {
        StringBuilder json =
                new StringBuilder("{\"at\":\"").append(entry.name()).append('"');
        json.append(",\"f").append(entry.offset % 3).append("\":").append(entry.offset);
        if (entry.kind == Kind.POISON) {
            json.append(",\"poison\":true");
        }
        if (padding > 0) {
            json.append(",\"padding\":\"").append("x".repeat(padding)).append('"');
        }
        return json.append('}').toString();
    }

    /** As a transform would send it to another destination; all records of a key go to one. */
    private String destination(Entry entry) {
        return "into-" + Math.floorMod(entry.key.map(Object::hashCode).orElse((int) entry.offset), destinations);
    }

    private String place(Entry entry) {
        return destination(entry)
                + switch (plan.ids()) {
                    case KEY -> "/" + entry.key.orElse("");
                    case COORDINATES ->
                        "/" + partition(entry.partition).topic() + "+" + entry.partition + "+" + entry.offset;
                    case NONE -> "";
                };
    }

    /**
     * Draws a schedule and runs it to its end.
     *
     * @throws AssertionError with all that happened, if a promise was broken
     */
    public static void run(long seed, SimulatedSink sink) {
        SinkSchedule schedule = new SinkSchedule(seed, sink);
        try {
            schedule.run();
        } catch (Throwable failure) {
            throw new AssertionError(
                    "seed " + seed + " (again: -Dtidegate.schedule.first=" + seed + " -Dtidegate.schedules=1): "
                            + failure.getMessage() + "\n" + schedule.journal,
                    failure);
        }
    }

    private void run() throws InterruptedException {
        start();
        try {
            connect.assign(some(partitions));
            int steps = 10 + random.nextInt(30);
            for (int step = 0; step < steps; step++) {
                step();
                ledger.check();
            }
            finish();
            compare();
            moveKeys();
            connect.revokeAll();
        } finally {
            stop();
        }
        ledger.check();
    }

    private void stop() {
        connect.compareCounters();
        task.stop();
    }

    private void start() {
        task = new SinkTaskOfType(sink);
        task.initialize(connect.context());
        task.start(settings);
        connect.run(task);
    }

    private void step() throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 65) {
            poll(random.nextInt(12));
        } else if (dice < 78) {
            connect.commit();
            compareOffsets();
        } else if (dice < 88) {
            rebalance();
        } else if (dice < 91) {
            restart();
        } else if (dice < 96) {
            sink.event(random);
        } else if (dice < 98 && plan.recognisesLogs() && !transformsChange) {
            recreateLog();
        } else {
            LockSupport.parkNanos(random.nextInt(1_000_000));
        }
    }

    /** Kafka must not be told what the server does not have yet. */
    private void compareOffsets() {
        for (TopicPartition partition : connect.assigned()) {
            long told = ledger.committed(partition.partition());
            OptionalLong next = logs.containsKey(partition.partition()) ? OptionalLong.empty() : sink.next(partition);
            if (next.isPresent() && next.getAsLong() < told) {
                ledger.violation("Kafka was told offset " + told + " of " + partition + ", and the server has "
                        + next.getAsLong());
            }
        }
    }

    private void poll(int most) throws InterruptedException {
        try {
            connect.poll(most);
        } catch (ConnectException e) {
            acceptLogs(e);
        }
    }

    private void rebalance() throws InterruptedException {
        connect.rewind();
        Set<TopicPartition> assigned = connect.assigned();
        if (assigned.isEmpty() || random.nextBoolean()) {
            connect.assign(some(
                    partitions.stream().filter(each -> !assigned.contains(each)).toList()));
        } else {
            connect.revoke(some(partitions.stream().filter(assigned::contains).toList()), random.nextInt(4) == 0);
        }
    }

    private void restart() throws InterruptedException {
        connect.rewind();
        Set<TopicPartition> all = connect.revokeAll();
        stop();
        journal.add("restart");
        if (transformsChange) {
            changeTransforms();
        }
        start();
        connect.assign(all);
    }

    /** From now on records have other bytes, and the same documents. */
    private void changeTransforms() {
        transforms = random.nextInt(3);
        journal.add("transforms " + transforms);
        if (transforms == 0) {
            settings.remove("transforms");
        } else {
            settings.put("transforms", "other" + transforms);
        }
    }

    /** The topic is deleted and made again while nobody reads it. */
    private void recreateLog() {
        TopicPartition partition = partitions.get(random.nextInt(partitions.size()));
        if (connect.assigned().contains(partition) || unaccepted.contains(partition)) {
            return;
        }
        SimulatedSink.LogState state = sink.log(partition);
        if (state == SimulatedSink.LogState.UNKNOWN) {
            return;
        }
        int number = partition.partition();
        int log = logs.merge(number, 1, Integer::sum);
        furthest.merge(partition, connect.end(partition), Math::max);
        ledger.recreate(number);
        journal.add("recreate " + partition + " as log " + log);
        int records = random.nextInt(30);
        for (long offset = 0; offset < records; offset++) {
            append(new Entry(number, offset, Kind.GOOD, Optional.of(number + "-" + offset % 4), log));
        }
        if (state == SimulatedSink.LogState.UNWRITTEN) {
            ledger.accept(number, log);
        } else {
            unaccepted.add(partition);
        }
        connect.logBeginsAgain(partition);
    }

    /** The task has failed because a log is another one. Somebody accepts all logs that were made again. */
    private void acceptLogs(ConnectException failure) throws InterruptedException {
        boolean isOtherLog = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            isOtherLog |= String.valueOf(cause.getMessage()).contains(sink.otherLog());
        }
        if (!isOtherLog) {
            throw failure;
        }
        if (unaccepted.isEmpty()) {
            ledger.violation("failed though no log was made again: " + failure.getMessage());
        }
        journal.add("accept the logs after: " + failure.getMessage());
        Set<TopicPartition> all = connect.revokeAll();
        stop();
        connect.forgetRewinds();
        for (TopicPartition partition : unaccepted) {
            ledger.accept(partition.partition(), logs.get(partition.partition()));
            sink.accept(partition);
        }
        unaccepted.clear();
        start();
        connect.assign(all);
    }

    private void finish() throws InterruptedException {
        journal.add("the end begins");
        sink.calm();
        connect.assign(partitions.stream()
                .filter(each -> !connect.assigned().contains(each))
                .toList());
        if (plan.exactlyOnce()) {
            appendToEach();
        }
        settle();
    }

    /** So that the sink has a reason to look at what the server forgot last, and a shorter log shows itself. */
    private void appendToEach() {
        for (TopicPartition partition : partitions) {
            long next = connect.end(partition);
            long last = Math.max(next, furthest.getOrDefault(partition, 0L));
            for (long offset = next; offset <= last; offset++) {
                append(good(partition.partition(), offset, partition.partition() + "-0"));
            }
        }
    }

    private Entry good(int number, long offset, String key) {
        return new Entry(number, offset, Kind.GOOD, Optional.of(key), logs.getOrDefault(number, 0));
    }

    private void settle() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!connect.isAllCommitted()) {
            poll(50);
            connect.commit();
            ledger.check();
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "not everything was committed in " + PATIENCE.toSeconds() + " s: " + connect.progress());
            }
        }
    }

    private void compare() {
        Collection<List<Entry>> present =
                partitions.stream().map(each -> ledger.log(each.partition())).toList();
        List<SimulatedSink.Row> rows =
                sink.rows().stream().filter(row -> !isLeftBehind(row)).toList();
        List<String> wrong = new Oracle(plan, this::place).differences(present, rows);
        wrong.forEach(ledger::violation);
        ledger.check();
    }

    /** Whether a row is of an earlier log, at a place where the present one has nothing: nothing has met it. */
    private boolean isLeftBehind(SimulatedSink.Row row) {
        Entry entry = ledger.entry(row.fields().get("at"));
        return entry != null
                && entry.log < logs.getOrDefault(entry.partition, 0)
                && (plan.exactlyOnce()
                        || ledger.log(entry.partition).stream()
                                .noneMatch(each ->
                                        each.kind == Kind.GOOD && place(each).equals(row.place())));
    }

    /** With everything at rest, a key comes from one partition after the other, the longest log first. */
    private void moveKeys() throws InterruptedException {
        if (!plan.keysMayMove()) {
            return;
        }
        List<TopicPartition> byEnd = partitions.stream()
                .sorted((a, b) -> Long.compare(connect.end(b), connect.end(a)))
                .toList();
        Entry last = null;
        for (TopicPartition partition : byEnd) {
            Entry entry = good(partition.partition(), connect.end(partition), "0");
            append(entry);
            settle();
            last = plan.versioned() && last != null && last.offset >= entry.offset ? last : entry;
        }
        String place = place(last);
        Map<String, String> expected = Oracle.fields(last);
        boolean isThere = sink.rows().contains(new SimulatedSink.Row(place, expected));
        if (!isThere) {
            ledger.violation(place + " is not " + expected + " after its key came from one partition after the other: "
                    + sink.rows().stream()
                            .filter(row -> row.place().equals(place))
                            .toList());
        }
    }

    private <T> List<T> some(Collection<T> all) {
        return all.stream().filter(each -> random.nextBoolean()).toList();
    }
}
