package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static io.tidegate.connect.common.testing.Records.record;
import static io.tidegate.connect.common.testing.Records.records;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.FakeErrantRecordReporter;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.FastClock;
import io.tidegate.connect.common.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SinkPipelineTest {
    /** In the time of {@link FastClock}: a few milliseconds. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** In the time of {@link FastClock}: longer than a test may take. */
    private static final Duration FOREVER = Duration.ofDays(2);

    private static final TopicPartition TIDES_0 = partition(0);

    private final FakeWriter writer = new FakeWriter();
    private final FakeErrantRecordReporter reporter = new FakeErrantRecordReporter();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext(reporter);
    private final FakeTarget target = new FakeTarget(lane -> writer);
    private Optional<SinkPipeline> open = Optional.empty();

    private SinkPipeline start(TaskSettings settings) {
        return start(settings, new LaneSettings(2, 1 << 20, Duration.ZERO, 1, Ordering.PARTITION));
    }

    private SinkPipeline start(TaskSettings settings, LaneSettings lanes) {
        RetrySettings retries = new RetrySettings(
                RetrySettings.UNLIMITED, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ZERO);
        SinkPipeline pipeline = new SinkPipeline(context, settings, lanes, retries, target, new FastClock());
        open = Optional.of(pipeline);
        assign(pipeline);
        return pipeline;
    }

    private SinkPipeline start(Duration drain, Duration close) {
        return start(new TaskSettings("test-0", 1 << 20, drain, close, true));
    }

    private void assign(SinkPipeline pipeline) {
        context.assign(List.of(TIDES_0));
        pipeline.open(List.of(TIDES_0));
    }

    @AfterEach
    void stop() {
        open.ifPresent(SinkPipeline::stop);
    }

    /** Returns the offset to commit, -1 while the pipeline has none: before its claim is answered. */
    private static long committable(SinkPipeline pipeline, long consumed) {
        OffsetAndMetadata offset = pipeline.preCommit(Map.of(TIDES_0, new OffsetAndMetadata(consumed)))
                .get(TIDES_0);
        return offset == null ? -1 : offset.offset();
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void commitsWhatIsWritten() throws InterruptedException {
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(records(0, 0, 5));

        assertThat(committable(pipeline, 5)).isEqualTo(5);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    /** As after an unclean election of the partition's leader, or when retention has removed the position. */
    @Test
    void losesNothingThatWaitsWhenTheConsumerIsSetBackBehindIt() throws InterruptedException {
        SinkPipeline pipeline = start(Duration.ZERO, SHORT);
        writer.goDown("connection refused");
        pipeline.put(records(0, 0, 21));
        pipeline.put(records(0, 15, 8));
        pipeline.put(records(0, 18, 8));

        assertThat(committable(pipeline, 26)).isZero();

        writer.comeUp();
        until(() -> committable(pipeline, 26) == 26);
        assertThat(Set.copyOf(writer.writtenOffsets()))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 26).boxed().toList());
    }

    @Test
    void isInNoOutageOnceWhatWasPostponedIsTakenAway() throws InterruptedException {
        SinkPipeline pipeline = start(Duration.ZERO, SHORT);
        writer.closing("tides");
        pipeline.put(records(0, 0, 3));
        until(() -> metric(pipeline, "outage-ms") > 0);

        pipeline.close(List.of(TIDES_0));

        until(() -> metric(pipeline, "outage-ms") == 0);
    }

    /** A registry's outage. */
    @Test
    void keepsRecordsWhileWhatTheyNeedCannotBeFetchedAndPauses() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 3, 5));
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(pipeline.bytesHeld()).isPositive();
            assertThat(metric(pipeline, "bytes-without-schema")).isEqualTo((double) pipeline.bytesHeld());
            assertThat(context.paused()).containsExactly(TIDES_0);
            assertThat(context.takeTimeout()).isEqualTo(1_000);
            assertThat(committable(pipeline, 8)).isEqualTo(3);
            pipeline.put(List.of());
        }
        assertThat(writer.attempts()).isEmpty();

        isDown.set(false);
        pipeline.put(List.of());

        assertThat(context.paused()).isEmpty();
        assertThat(committable(pipeline, 8)).isEqualTo(8);
        assertThat(writer.writtenOffsets()).containsExactly(3L, 4L, 5L, 6L, 7L);
        until(() -> pipeline.bytesHeld() == 0);
    }

    /** What was delivered before goes on, and limits the commit as well. */
    @Test
    void commitsNothingAboveARecordThatCannotBeMapped() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean();
        needsARegistry(isDown);
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWriteAll().thenWaitFor(go);
        SinkPipeline pipeline = start(SHORT, SHORT);
        pipeline.put(records(0, 0, 4)); // in batches of two
        until(() -> writer.attempts().size() == 2);
        isDown.set(true);
        pipeline.put(List.of(record(0, 4), record(0, 9)));
        assertThat(committable(pipeline, 12)).isEqualTo(2);

        go.countDown();
        until(() -> committable(pipeline, 12) == 4);
    }

    @Test
    void newRecordsDoNotOvertakeThoseThatWait() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 0, 3));
        pipeline.put(records(0, 3, 3));
        isDown.set(false);

        pipeline.put(records(0, 6, 3));

        assertThat(committable(pipeline, 9)).isEqualTo(9);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void losesNothingThatCannotBeMappedWhenTheConsumerIsSetBackBehindIt() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 5, 5));
        pipeline.put(records(0, 8, 4));
        assertThat(committable(pipeline, 12)).isEqualTo(5);
        isDown.set(false);

        pipeline.put(List.of());

        assertThat(committable(pipeline, 12)).isEqualTo(12);
        assertThat(Set.copyOf(writer.writtenOffsets())).containsExactlyInAnyOrder(5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void pausesPartitionsThatAreAssignedWhileRecordsCannotBeMapped() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 0, 5));
        context.assign(List.of(partition(1)));
        pipeline.open(List.of(partition(1)));
        assertThat(context.paused()).containsExactlyInAnyOrder(TIDES_0, partition(1));

        isDown.set(false);
        pipeline.put(List.of());
        assertThat(context.paused()).isEmpty();
    }

    /** Its next owner gets them, which may be the same task. */
    @Test
    void forgetsRecordsThatCannotBeMappedWithTheirPartition() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        context.assign(List.of(partition(1)));
        pipeline.open(List.of(partition(1)));
        pipeline.put(List.of(record(0, 3), record(1, 0), record(0, 4)));
        long both = pipeline.bytesHeld();

        context.revoke(List.of(TIDES_0));
        pipeline.close(List.of(TIDES_0));
        assertThat(pipeline.bytesHeld()).isPositive().isLessThan(both);
        assign(pipeline);
        assertThat(pipeline.unfinished()).isEqualTo(Map.of(partition(1), 0L));
        isDown.set(false);
        pipeline.put(List.of());
        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.writtenOffsets()).containsExactly(0L);

        pipeline.put(records(0, 2, 3));
        assertThat(committable(pipeline, 5)).isEqualTo(5);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 2L, 3L, 4L);
    }

    @Test
    void holdsNothingOncePartitionsWithRecordsThatCannotBeMappedAreTakenAway() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 0, 5));
        context.revoke(List.of(TIDES_0));
        pipeline.close(List.of(TIDES_0));
        assertThat(pipeline.bytesHeld()).isZero();

        pipeline.put(List.of());
        assign(pipeline);
        assertThat(context.paused()).isEmpty();
    }

    @Test
    void failsForWhatIsWrongWithThePreparation() throws InterruptedException {
        target.preparing(records -> {
            throw new ConnectException("a bad URL");
        });
        SinkPipeline pipeline = start(FOREVER, SHORT);

        assertThatThrownBy(() -> pipeline.put(records(0, 0, 5))).hasMessage("a bad URL");
        assertThat(committable(pipeline, 5)).isZero();
    }

    private void needsARegistry(AtomicBoolean isDown) {
        target.unwrapping(new DocumentMapper.Unwrapping() {
            @Override
            public SinkRecord apply(SinkRecord record) {
                assertThat(isDown).as("mapped before everything was fetched").isFalse();
                return record;
            }

            @Override
            public void prepare(Collection<SinkRecord> records) {
                if (isDown.get() && !records.isEmpty()) {
                    throw new RetriableException("no answer");
                }
            }
        });
    }

    @Test
    void neverCommitsAheadOfAWrite() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWriteAll().thenWaitFor(go);
        SinkPipeline pipeline = start(SHORT, SHORT);
        pipeline.put(records(0, 0, 5)); // in batches of two
        until(() -> writer.attempts().size() == 2);

        assertThat(committable(pipeline, 5)).isEqualTo(2);

        go.countDown();
        until(() -> committable(pipeline, 5) == 5);
    }

    @Test
    void letsTheFrameworksOwnOffsetThroughPastRecordsThatATransformDropped() throws InterruptedException {
        SinkPipeline pipeline = start(FOREVER, SHORT);
        OffsetAndMetadata consumed = new OffsetAndMetadata(900, "the framework's own");

        pipeline.put(List.of(record(0, 3), record(0, 400)));

        assertThat(pipeline.preCommit(Map.of(TIDES_0, consumed)).get(TIDES_0)).isSameAs(consumed);
    }

    @Test
    void commitsPastRecordsWithoutAValue() throws InterruptedException {
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(List.of(record(0, 0, "k", null)));

        assertThat(committable(pipeline, 1)).isEqualTo(1);
        assertThat(writer.attempts()).isEmpty();
    }

    @Test
    void offersNoOffsetsOfPartitionsThatAreNotAssigned() throws InterruptedException {
        SinkPipeline pipeline = start(SHORT, SHORT);

        assertThat(pipeline.preCommit(Map.of(partition(7), new OffsetAndMetadata(5))))
                .isEmpty();
        assertThatThrownBy(() -> pipeline.put(records(7, 0, 1)))
                .isInstanceOf(ConnectException.class)
                .hasMessage("a record of tides-7 was delivered, which is not assigned to this task");
    }

    /**
     * A pause of the connector can make Connect deliver records of partitions that it has not opened. It commits their
     * offsets only after it has gone back in them.
     */
    @Test
    void goesBackInAPartitionThatIsAssignedAndWasNotOpened() throws InterruptedException {
        SinkPipeline pipeline = start(FOREVER, SHORT);
        context.assign(List.of(partition(7)));

        pipeline.put(records(7, 2, 3));
        assertThat(context.rewound()).containsExactly(Map.entry(partition(7), 2L));
        pipeline.put(records(7, 2, 3));

        assertThat(pipeline.preCommit(Map.of(partition(7), new OffsetAndMetadata(5))))
                .containsEntry(partition(7), new OffsetAndMetadata(5));
        assertThat(writer.written()).hasSize(3); // each once
    }

    /** They are delivered again, because Connect commits none of their offsets before it has gone back. */
    @Test
    void goesBackInAPartitionThatWasNotOpenedThoughItsFirstRecordsCannotBeMapped() throws InterruptedException {
        AtomicBoolean isDown = new AtomicBoolean(true);
        needsARegistry(isDown);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 0, 1));
        context.assign(List.of(partition(7)));
        pipeline.put(records(7, 2, 3));
        assertThat(context.takeRewound()).containsExactly(Map.entry(partition(7), 2L));
        assertThat(context.paused()).containsExactlyInAnyOrder(TIDES_0, partition(7));
        isDown.set(false);
        pipeline.put(List.of());
        assertThat(context.paused()).isEmpty();
        pipeline.put(records(7, 2, 3));

        assertThat(pipeline.preCommit(Map.of(partition(7), new OffsetAndMetadata(5))))
                .containsEntry(partition(7), new OffsetAndMetadata(5));
        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.written()).hasSize(4); // each once
    }

    @Test
    void drainsForNoLongerThanItMay() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(SHORT, SHORT);
        pipeline.put(records(0, 0, 1));

        assertThat(committable(pipeline, 1)).isZero(); // comes back at all

        go.countDown();
    }

    @Test
    void doesNotDrainThroughAnOutageAndDoesNotThrow() throws InterruptedException {
        writer.goDown("connection refused");
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(records(0, 3, 4));
        assertThat(committable(pipeline, 7)).isEqualTo(3);

        writer.comeUp();
        until(() -> committable(pipeline, 7) == 7);
    }

    @Test
    void doesNotThrowFromACommitWhenTheTaskHasToFail() throws InterruptedException {
        writer.thenFail(Failure.FATAL, "no such table");
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(records(0, 0, 1));

        assertThat(committable(pipeline, 1)).isZero();
    }

    @Test
    void surfacesALanesFailureInPutWithItsCause() throws InterruptedException {
        writer.thenFail(Failure.FATAL, "no such table");
        SinkPipeline pipeline = start(FOREVER, SHORT);
        pipeline.put(records(0, 0, 1));
        assertThat(committable(pipeline, 1)).isZero();

        assertThatThrownBy(() -> pipeline.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "memory refused 1 record (tides-0@0 into tides) and will not accept them until something is changed: no such table")
                .hasCauseInstanceOf(ConnectException.class)
                .hasStackTraceContaining("WriteException: no such table");
    }

    @Test
    void waitsForTheRequestInFlightWhenAPartitionIsRevoked() throws InterruptedException {
        writer.then(documents -> {
            until(() -> documents.get(0).progress().isRevoked());
            return List.of();
        });
        SinkPipeline pipeline = start(SHORT, FOREVER);
        pipeline.put(records(0, 0, 5));
        until(() -> !writer.attempts().isEmpty());

        pipeline.close(List.of(TIDES_0));

        assertThat(writer.aborts()).isZero();
        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.attempts()).hasSize(1); // what was queued is dropped
    }

    @Test
    void abortsARequestPastTheDeadline() throws InterruptedException {
        writer.thenHangUntilAborted();
        SinkPipeline pipeline = start(SHORT, SHORT);
        pipeline.put(records(0, 0, 2));
        until(() -> !writer.attempts().isEmpty());

        pipeline.close(List.of(TIDES_0));

        assertThat(writer.aborts()).isEqualTo(1);
        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.attempts()).hasSize(1);
    }

    @Test
    void doesNotWaitForARequestOfOtherPartitions() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(SHORT, FOREVER);
        context.assign(List.of(partition(1)));
        pipeline.open(List.of(partition(1)));
        pipeline.put(records(1, 0, 1));
        until(() -> !writer.attempts().isEmpty());

        pipeline.close(List.of(TIDES_0));

        assertThat(writer.aborts()).isZero();
        go.countDown();
    }

    @Test
    void doesNotLetALateWriteMoveTheOffsetOfTheNextAssignment() throws InterruptedException {
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch next = new CountDownLatch(1);
        writer.thenWaitFor(late).thenWaitFor(next); // deaf to abort
        SinkPipeline pipeline = start(SHORT, SHORT);
        pipeline.put(records(0, 0, 2));
        until(() -> writer.attempts().size() == 1);
        pipeline.close(List.of(TIDES_0));
        assign(pipeline);
        pipeline.put(records(0, 0, 2));

        late.countDown();
        until(() -> writer.attempts().size() == 2);

        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L);
        assertThat(committable(pipeline, 2)).isZero();
        next.countDown();
        until(() -> committable(pipeline, 2) == 2);
    }

    @Test
    void reportsPoisonOnceAndCommitsItOnlyWhenTheReportIsConfirmed() throws InterruptedException {
        reporter.holdConfirmations();
        writer.refusing(1L);
        SinkPipeline pipeline = start(Duration.ofMillis(20), SHORT);
        pipeline.put(records(0, 0, 3));
        until(() -> committable(pipeline, 3) == 1 && writer.written().size() == 2);

        pipeline.put(List.of());
        pipeline.put(List.of());
        assertThat(committable(pipeline, 3)).isEqualTo(1);
        assertThat(reporter.offsets()).containsExactly(1L);

        reporter.confirmAll();
        assertThat(committable(pipeline, 3)).isEqualTo(3);
        assertThat(reporter.offsets()).containsExactly(1L);
    }

    @Test
    void reportsWhatTheMapperRefuses() throws InterruptedException {
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(List.of(record(0, 0), record(0, 1, null, ""), record(0, 2)));

        assertThat(committable(pipeline, 3)).isEqualTo(3);
        assertThat(reporter.offsets()).containsExactly(1L);
        assertThat(reporter.reports().get(0).error())
                .hasMessage("the value is empty, and that is not JSON {\"kind\":\"unusable\"}");
        assertThat(writer.writtenOffsets()).containsExactly(0L, 2L);
    }

    @Test
    void waitsForNoLaneThatWaitsForAReport() throws InterruptedException {
        target.keepingOffsets();
        writer.rejectingBatchesWith(0L);
        SinkPipeline pipeline = start(FOREVER, SHORT);
        while (!context.paused().isEmpty()) { // Connect delivers nothing of a paused partition
            pipeline.put(List.of());
        }

        pipeline.put(records(0, 0, 4));
        until(() -> committable(pipeline, 4) == 4);

        assertThat(reporter.offsets()).containsExactly(0L);
        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void anOutageOfTenMinutesReachesNoDeadLetterQueueAndFailsNoTask() throws InterruptedException {
        Clock clock = new FastClock();
        RetrySettings defaults =
                RetrySettings.from(new AbstractConfig(RetrySettings.define(new ConfigDef()), Map.of(), false));
        TaskSettings settings = new TaskSettings("test-0", 1 << 20, SHORT, SHORT, true);
        LaneSettings lanes = new LaneSettings(2, 1 << 20, Duration.ZERO, 2, Ordering.PARTITION);
        SinkPipeline pipeline = new SinkPipeline(context, settings, lanes, defaults, target, clock);
        open = Optional.of(pipeline);
        assign(pipeline);
        writer.goDown("connection refused");
        pipeline.put(records(0, 0, 5));
        until(() -> !writer.attempts().isEmpty());

        long over = clock.nanoTime() + Duration.ofMinutes(10).toNanos();
        while (clock.nanoTime() < over) {
            pipeline.put(List.of()); // throws when the task has to fail
            assertThat(committable(pipeline, 5)).isZero();
        }
        assertThat(writer.attempts()).hasSizeGreaterThan(5); // it did try
        writer.comeUp();
        until(() -> committable(pipeline, 5) == 5);

        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(reporter.reports()).isEmpty();
    }

    @Test
    void passesPoisonOverWhereErrorsAreToleratedAndNobodyTakesReports() throws InterruptedException {
        writer.refusing(1L);
        LaneSettings lanes = new LaneSettings(2, 1 << 20, Duration.ZERO, 1, Ordering.PARTITION);
        RetrySettings retries =
                new RetrySettings(RetrySettings.UNLIMITED, Duration.ofMillis(100), SHORT, Duration.ZERO);
        FakeSinkTaskContext withoutReporter = new FakeSinkTaskContext();
        SinkPipeline pipeline = new SinkPipeline(
                withoutReporter,
                new TaskSettings("test-0", 1 << 20, FOREVER, SHORT, true),
                lanes,
                retries,
                target,
                new FastClock());
        open = Optional.of(pipeline);
        withoutReporter.assign(List.of(TIDES_0));
        pipeline.open(List.of(TIDES_0));

        pipeline.put(records(0, 0, 3));

        until(() -> committable(pipeline, 3) == 3);
        assertThat(writer.writtenOffsets()).containsExactly(0L, 2L);
    }

    @Test
    void stopsInFrontOfPoisonWhereErrorsAreNotTolerated() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.refusing(1L).thenWaitFor(go);
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1 << 20, FOREVER, SHORT, false));
        pipeline.put(records(0, 0, 3));
        go.countDown();

        until(() -> committable(pipeline, 3) == 1);

        assertThatThrownBy(() -> pipeline.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("tides-0@1 cannot be written: poison at 1. The task stops before it.");
    }

    /** The record is refused before any is written. The error's reader goes on behind it. */
    @Test
    void stopsInFrontOfARecordWithoutAFormWhenAllBeforeItIsWritten() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1 << 20, SHORT, SHORT, false));
        List<SinkRecord> read = new ArrayList<>(records(0, 0, 3));
        read.add(record(0, 3, null, ""));
        read.addAll(records(0, 4, 2));
        pipeline.put(read);
        pipeline.put(List.of());
        go.countDown();
        until(() -> writer.writtenOffsets().size() == 3 && committable(pipeline, 6) == 3);

        assertThatThrownBy(() -> pipeline.put(List.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("tides-0@3 cannot be written");
        assertThat(writer.writtenOffsets()).as("none behind it").containsExactly(0L, 1L, 2L);
    }

    @Test
    void pausesAPartitionThatWasNotOpenedWhileItsBufferIsFull() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1_000, FOREVER, SHORT, true));
        pipeline.put(records(0, 0, 9));
        context.assign(List.of(partition(7)));

        pipeline.put(records(7, 0, 1));

        assertThat(context.paused()).containsExactlyInAnyOrder(TIDES_0, partition(7));
        go.countDown();
    }

    @Test
    void pausesAboveItsBufferAndResumesWhenItIsWritten() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1_000, FOREVER, SHORT, true));

        pipeline.put(records(0, 0, 9));
        assertThat(context.paused()).containsExactly(TIDES_0);
        assertThat(context.takeTimeout()).isEqualTo(20);

        go.countDown();
        assertThat(committable(pipeline, 9)).isEqualTo(9);
        until(() -> pipeline.bytesHeld() == 0);
        pipeline.put(List.of());
        assertThat(context.paused()).isEmpty();
        assertThat(context.takeTimeout()).isEqualTo(60_000);
    }

    /** A topic of which nothing can be read, and a slow dead letter topic. */
    @Test
    void pausesAboveItsBufferOfDeadLetters() throws InterruptedException {
        reporter.holdConfirmations();
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1_000, FOREVER, SHORT, true));

        pipeline.put(List.of(record(0, 0, null, ""), record(0, 1, null, ""), record(0, 2, null, "")));
        assertThat(context.paused()).containsExactly(TIDES_0);

        reporter.confirmAll();
        pipeline.put(List.of());
        assertThat(pipeline.bytesHeld()).isZero();
        assertThat(context.paused()).isEmpty();
    }

    /** Nothing comes while the task is paused, so a batch that waits for more would keep it paused. */
    @Test
    void lingersForNothingWhileItsBufferIsFull() throws InterruptedException {
        SinkPipeline pipeline = start(
                new TaskSettings("test-0", 1_000, FOREVER, SHORT, true),
                new LaneSettings(1_000, 1 << 20, FOREVER, 1, Ordering.PARTITION));

        pipeline.put(records(0, 0, 9));

        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.writtenOffsets()).hasSize(9);
        pipeline.put(records(0, 9, 1));
        assertThat(context.paused()).isEmpty();
        assertThat(committable(pipeline, 10)).isEqualTo(10);
    }

    @Test
    void asksToBeCalledAgainWhileAnythingIsUnderWay() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(FOREVER, SHORT);

        pipeline.put(records(0, 0, 1));

        assertThat(context.takeTimeout()).isEqualTo(100);
        go.countDown();
    }

    @Test
    void stopsWithARequestThatHangs() throws InterruptedException {
        writer.thenHangUntilAborted();
        SinkPipeline pipeline = start(new TaskSettings("test-hang", 1 << 20, SHORT, Duration.ofMillis(50), true));
        pipeline.put(records(0, 0, 1));
        until(() -> !writer.attempts().isEmpty());

        pipeline.stop();
        open = Optional.empty();

        assertThat(writer.aborts()).isEqualTo(1);
        assertThat(writer.closes()).isEqualTo(1);
        assertThat(target.closes()).isEqualTo(1);
        until(() -> laneThreads("test-hang").isEmpty()); // a thread keeps the name for a moment
    }

    /** Connect closes all partitions before it stops a task, and gives it five seconds for both. */
    @Test
    void doesNotWaitTwiceForAServerThatHangs() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        FastClock clock = new FastClock();
        SinkPipeline pipeline = new SinkPipeline(
                context,
                new TaskSettings("test-0", 1 << 20, SHORT, FOREVER, true),
                new LaneSettings(2, 1 << 20, Duration.ZERO, 1, Ordering.PARTITION),
                new RetrySettings(RetrySettings.UNLIMITED, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                new FakeTarget(lane -> new HangingClaims(asked, aborted), NullValues.IGNORE, false).keepingOffsets(),
                clock);
        context.assign(List.of(partition(0)));
        pipeline.open(List.of(partition(0)));
        assertThat(pipeline.preCommit(Map.of(partition(0), new OffsetAndMetadata(0))))
                .isEmpty();
        pipeline.put(List.of());
        until(() -> asked.getCount() == 0);

        pipeline.close(List.of(partition(0)));
        clock.pass(FOREVER);
        pipeline.stop();

        assertThat(aborted.getCount()).isZero();
    }

    /** To a server that does not answer a claim. */
    private record HangingClaims(CountDownLatch asked, CountDownLatch aborted) implements BatchWriter, ServerOffsets {
        @Override
        public List<Refusal> write(List<Document> documents) {
            throw new AssertionError("no partition is claimed");
        }

        @Override
        public long kept() {
            return 0;
        }

        @Override
        public Optional<ServerOffsets> offsets() {
            return Optional.of(this);
        }

        @Override
        public Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) throws WriteException {
            asked.countDown();
            try {
                aborted.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw WriteException.ofOffsets(Failure.BUSY, "cancelled", new IOException("cancelled"));
        }

        @Override
        public Map<Progress, Long> store(Map<Progress, Long> nextOffsets) {
            throw new AssertionError("no partition is claimed");
        }

        @Override
        public void verify() {
            throw new AssertionError("no partition is claimed");
        }

        @Override
        public long recognised() {
            return 0;
        }

        @Override
        public void abort() {
            aborted.countDown();
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    @Test
    void closesTheFirstLanesWhenALaterOneCannotBeOpened() {
        IntFunction<BatchWriter> failing = lane -> {
            if (lane == 2) {
                throw new ConnectException("no third writer");
            }
            return writer;
        };
        LaneSettings threeLanes = new LaneSettings(2, 1 << 20, Duration.ZERO, 3, Ordering.PARTITION);
        RetrySettings retries = new RetrySettings(RetrySettings.UNLIMITED, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        TaskSettings settings = new TaskSettings("test-fail", 1 << 20, SHORT, SHORT, true);

        assertThatThrownBy(() -> new SinkPipeline(
                        context, settings, threeLanes, retries, new FakeTarget(failing), new FastClock()))
                .isInstanceOf(ConnectException.class)
                .hasMessage("no third writer");

        assertThat(writer.closes()).isEqualTo(2);
        assertThat(laneThreads("test-fail")).isEmpty();
    }

    @Test
    void hasNoThreadsWhileItIsIdle() throws InterruptedException {
        SinkPipeline pipeline = start(new TaskSettings("test-idle", 1 << 20, SHORT, SHORT, true));
        assertThat(laneThreads("test-idle")).isEmpty();

        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        pipeline.put(records(0, 0, 2));
        until(() -> !laneThreads("test-idle").isEmpty());
        go.countDown();
        until(() -> laneThreads("test-idle").isEmpty());

        pipeline.put(records(0, 2, 2));
        until(() -> pipeline.bytesHeld() == 0);
        assertThat(writer.attempts()).hasSize(2);
    }

    private static List<String> laneThreads(String task) {
        Thread[] threads = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(threads);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().startsWith("tidegate-" + task + "-lane-")) {
                names.add(threads[i].getName());
            }
        }
        return names;
    }

    @Test
    void tellsHowLongItsPartitionsWerePaused() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        writer.thenWaitFor(go);
        SinkPipeline pipeline = start(new TaskSettings("test-0", 1, SHORT, SHORT, true));
        pipeline.put(records(0, 0, 2));
        assertThat(metric(pipeline, "paused")).isEqualTo(1);
        assertThat(metric(pipeline, "bytes-held")).isPositive();
        until(() -> metric(pipeline, "paused-ms-total") > 0);

        go.countDown();
        until(() -> pipeline.bytesHeld() == 0);
        pipeline.put(List.of());

        double paused = metric(pipeline, "paused-ms-total");
        assertThat(metric(pipeline, "paused")).isZero();
        assertThat(metric(pipeline, "paused-ms-total")).isEqualTo(paused).isPositive();
    }

    private static double metric(SinkPipeline pipeline, String name) {
        return pipeline.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .sum();
    }
}
