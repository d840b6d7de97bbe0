package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.metrics.SlidingWindow;
import io.tidegate.connect.common.recovery.Redeliveries;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts and times the work of a task. This is the only list of the metrics that every sink has. It counts once per
 * batch or per {@code put}, never per record. The task thread and the lanes count; any thread reads.
 */
public final class TaskMetrics {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final Clock clock;
    private final LongSupplier bytesHeld;
    private final LongSupplier bytesHeldLimit;
    private final LongSupplier bytesUnmapped;
    private final PostponedDestinations postponed;
    private final DeadLetters letters;
    private final Redeliveries redeliveries;

    private final LongAdder received = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final List<LongSupplier> kept = new CopyOnWriteArrayList<>();
    private final List<LongSupplier> recognised = new CopyOnWriteArrayList<>();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder batchesWritten = new LongAdder();
    private final LongAdder transientFailures = new LongAdder();
    private final LongAdder rejections = new LongAdder();
    private final LongAdder fatalFailures = new LongAdder();

    private final SlidingWindow batchRows;
    private final SlidingWindow batchBytes;
    private final SlidingWindow writeNanos;
    private final SlidingWindow ageMillis;

    private final StateTimer paused;
    private final StateTimer outage;
    private int failingWriters; // guarded by outage
    private volatile boolean hasWritten;
    private volatile long lastCall; // nanoTime
    private volatile long waitingSince; // nanoTime; since when records have waited without a pause
    private volatile long lastDone; // nanoTime

    TaskMetrics(
            Clock clock,
            LongSupplier bytesHeld,
            LongSupplier bytesHeldLimit,
            LongSupplier bytesUnmapped,
            PostponedDestinations postponed,
            DeadLetters letters,
            Redeliveries redeliveries) {
        this.postponed = requireNonNull(postponed, "postponed");
        this.redeliveries = requireNonNull(redeliveries, "redeliveries");
        this.clock = requireNonNull(clock, "clock");
        this.bytesHeld = requireNonNull(bytesHeld, "bytesHeld");
        this.bytesHeldLimit = requireNonNull(bytesHeldLimit, "bytesHeldLimit");
        this.bytesUnmapped = requireNonNull(bytesUnmapped, "bytesUnmapped");
        this.letters = requireNonNull(letters, "letters");
        this.batchRows = new SlidingWindow(clock::nanoTime);
        this.batchBytes = new SlidingWindow(clock::nanoTime);
        this.writeNanos = new SlidingWindow(clock::nanoTime);
        this.ageMillis = new SlidingWindow(clock::nanoTime);
        this.paused = new StateTimer(clock);
        this.outage = new StateTimer(clock);
        this.lastCall = clock.nanoTime();
        this.waitingSince = lastCall;
        this.lastDone = lastCall;
    }

    /** The metrics of an idle task, for a list of them. */
    public static List<Metric> described() {
        return new TaskMetrics(
                        Clock.SYSTEM,
                        () -> 0,
                        () -> 0,
                        () -> 0,
                        new PostponedDestinations("", Clock.SYSTEM),
                        new DeadLetters(Optional.empty(), true, Clock.SYSTEM),
                        new Redeliveries())
                .all();
    }

    /** Task thread: Connect calls the task. */
    void called() {
        lastCall = clock.nanoTime();
        if (!isWaiting()) {
            waitingSince = lastCall;
        }
    }

    /** A lane: records are written, refused or skipped. */
    void done() {
        lastDone = clock.nanoTime();
    }

    private boolean isWaiting() {
        return paused.isOn() || bytesHeld.getAsLong() > postponed.bytes();
    }

    private double stalledMillis() {
        long now = clock.nanoTime();
        long waited = isWaiting() ? now - Math.max(waitingSince, lastDone) : 0;
        return Math.max(waited, now - lastCall) / NANOS_PER_MILLI;
    }

    /** Task thread: Connect delivered records. */
    void received(int records) {
        received.add(records);
    }

    /** Task thread: a record is skipped because of a setting. */
    void skipped() {
        skipped.increment();
    }

    /** Task thread, after every {@code put}. */
    void setPaused(boolean now) {
        paused.turn(now);
    }

    /** A lane: an attempt wrote some of the documents that it was given. */
    void wrote(List<Document> attempted, long rows, long bytes, long nanos) {
        written.add(rows);
        bytesWritten.add(bytes);
        batchesWritten.increment();
        batchRows.record(rows);
        batchBytes.record(bytes);
        writeNanos.record(nanos);
        Long timestamp = attempted.get(0).record().timestamp();
        if (timestamp != null) {
            ageMillis.record(clock.currentTimeMillis() - timestamp);
        }
        hasWritten = true;
    }

    /** A writer counts what it leaves as it was. */
    void keeping(LongSupplier writer) {
        kept.add(writer);
    }

    /** A writer counts what it skips because the server's offsets show that it is written. */
    void recognising(LongSupplier writer) {
        recognised.add(writer);
    }

    /** Whether any record was written. */
    boolean hasWritten() {
        return hasWritten;
    }

    /** A lane: an attempt left documents unwritten. */
    void failed(Failure failure) {
        switch (failure) {
            case TRANSIENT, BUSY, TOO_MUCH, DESTINATION -> transientFailures.increment();
            case REJECTED, SKIPPED -> rejections.increment();
            case FATAL -> fatalFailures.increment();
        }
    }

    /** A lane: the server can no longer write for it, or can write again. */
    void setWriterFailing(boolean now) {
        synchronized (outage) {
            failingWriters += now ? 1 : -1;
            outage.turn(failingWriters > 0);
        }
    }

    /** Every metric with its current value. */
    public List<Metric> all() {
        List<Metric> all = new ArrayList<>(counts());
        all.addAll(batchRows.metrics("batch-rows", "records", 1, "Records in a request that wrote some"));
        all.addAll(batchBytes.metrics("batch-bytes", "bytes", 1, "JSON bytes that a request wrote"));
        all.addAll(writeNanos.metrics(
                "write-latency-ms",
                "ms",
                NANOS_PER_MILLI,
                "Time of a request that wrote records, including the wait for a connection"));
        all.addAll(ageMillis.metrics(
                "record-age-ms",
                "ms",
                1,
                "Time from a record's timestamp in Kafka until it was written, for the first record of each request"));
        all.addAll(state());
        return all;
    }

    private List<Metric> counts() {
        return List.of(
                count(
                        "records-received-total",
                        "records",
                        "Records that Connect delivered to the task.",
                        received::sum),
                count("records-written-total", "records", "Records that the server has accepted.", written::sum),
                count(
                        "records-kept-total",
                        "records",
                        "Of the records written, those that left an existing row or document as it was.",
                        () -> sum(kept)),
                count("bytes-written-total", "bytes", "JSON bytes of the records written.", bytesWritten::sum),
                count("batches-written-total", "requests", "Requests that wrote records.", batchesWritten::sum),
                count(
                        "records-skipped-total",
                        "records",
                        "Records that are skipped: without a value, change events with nothing to write, dead"
                                + " letters that were redriven too often, or documents by a setting or its default,"
                                + " except stale ones.",
                        () -> skipped.sum() + letters.skipped()),
                count(
                        "records-refused-total",
                        "records",
                        "Records that the server or the sink refused for good.",
                        letters::refused),
                count(
                        "records-delivered-again-total",
                        "records",
                        "Records that Kafka delivered again, because the server lost commits, or may have.",
                        redeliveries.deliveredAgain()::sum),
                count(
                        "records-recognised-total",
                        "records",
                        "Records that a retry skipped, because they were written and only the answer was lost.",
                        () -> sum(recognised)),
                count(
                        "logs-unchecked-total",
                        "partitions",
                        "Partitions that went on although nothing shows whether their log is the one that was written.",
                        redeliveries.unchecked()::sum),
                count(
                        "records-missing-total",
                        "offsets",
                        "Offsets that the server lost and Kafka did not deliver again.",
                        redeliveries.missing()::sum),
                count(
                        "dead-letters-total",
                        "records",
                        "Refused records whose report Connect has confirmed.",
                        letters::confirmed),
                count(
                        "records-dropped-total",
                        "records",
                        "Refused records that were dropped: errors.tolerance=all with neither a dead letter topic nor"
                                + " errors.log.enable.",
                        letters::dropped),
                count(
                        "retries-transient-total",
                        "requests",
                        "Requests that are retried after a pause.",
                        transientFailures::sum),
                count(
                        "retries-rejected-total",
                        "requests",
                        "Requests that are retried at once in parts, because the server rejected something in"
                                + " them.",
                        rejections::sum),
                count("failures-fatal-total", "requests", "Requests that failed the task.", fatalFailures::sum));
    }

    private List<Metric> state() {
        return List.of(
                count(
                        "bytes-held",
                        "bytes",
                        "Estimated bytes of the records that wait or are being written.",
                        bytesHeld),
                count(
                        "bytes-held-limit",
                        "bytes",
                        "Bytes held above which the task's partitions are paused; up to half more, or two polls if the worker has room, while"
                                + " records are postponed.",
                        bytesHeldLimit),
                count(
                        "bytes-without-schema",
                        "bytes",
                        "Of the bytes held, those of records whose schemas cannot be fetched now.",
                        bytesUnmapped),
                count(
                        "bytes-postponed",
                        "bytes",
                        "Of the bytes held, those of records whose destination rejects all writes now.",
                        postponed::bytes),
                count(
                        "destinations-postponed",
                        "destinations",
                        "Destinations that reject all writes now.",
                        postponed::count),
                count("paused", "0 or 1", "Whether the task's partitions are paused.", () -> paused.isOn() ? 1 : 0),
                count("paused-ms-total", "ms", "Total time of pauses.", () -> paused.totalMillis()),
                count(
                        "outage-ms",
                        "ms",
                        "How long the server has been unable to accept the requests of one or more lanes; 0 outside an"
                                + " outage.",
                        () -> outage.presentMillis()),
                count("outage-ms-total", "ms", "Total time of outages.", () -> outage.totalMillis()),
                new Metric(
                        "stalled-ms",
                        "ms",
                        "Time since Connect last called the task or, while records wait, since one was done; the longer."
                                + " Postponed records count only while the task is paused.",
                        this::stalledMillis));
    }

    private static long sum(List<LongSupplier> counts) {
        return counts.stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    private static Metric count(String name, String unit, String description, LongSupplier value) {
        return new Metric(name, unit, description, value::getAsLong);
    }
}
