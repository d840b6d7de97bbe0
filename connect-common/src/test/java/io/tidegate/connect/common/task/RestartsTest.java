package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.recovery.StoredOffset;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.testing.FakeErrantRecordReporter;
import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FastClock;
import io.tidegate.connect.common.testing.MemoryOffsetStore;
import io.tidegate.connect.common.testing.OffsetsWriter;
import io.tidegate.connect.common.testing.Records;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of states in docs/explanation/delivery-guarantees.md, one test for each cell: what the server's offsets say
 * against where Kafka's group stands, and against the last record. Connect is driven by hand: what it offers to commit, and
 * from where it delivers.
 */
@Timeout(60)
final class RestartsTest {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration FOREVER = Duration.ofDays(2);
    private static final TopicPartition TIDES_0 = partition(0);
    private static final TopicPartition TIDES_1 = partition(1);

    private final MemoryOffsetStore offsets = new MemoryOffsetStore();
    private final Set<Long> poison = new HashSet<>();
    private final AtomicInteger answersLost = new AtomicInteger();
    private final AtomicInteger closings = new AtomicInteger(); // attempts that find all destinations closed
    private final AtomicBoolean isRegistryDown = new AtomicBoolean();
    private final FakeErrantRecordReporter reporter = new FakeErrantRecordReporter();
    private final FakeSinkTaskContext context = new FakeSinkTaskContext(reporter);
    private final FakeTarget target = new FakeTarget(lane -> newWriter(), NullValues.IGNORE, false).keepingOffsets();
    private final FastClock clock = new FastClock();
    private boolean toleratesErrors = true;
    private Optional<SinkPipeline> open = Optional.empty();

    private OffsetsWriter newWriter() {
        return new OffsetsWriter(offsets, document -> poison.contains(document.offset()), new OffsetsWriter.Trouble() {
            @Override
            public Set<String> closed(List<Document> documents) {
                return closings.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                        ? documents.stream().map(Document::destination).collect(toSet())
                        : Set.of();
            }

            @Override
            public void after() throws IOException {
                if (answersLost.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IOException("the answer is lost");
                }
            }
        });
    }

    private SinkPipeline start() {
        return start(List.of(TIDES_0));
    }

    private SinkPipeline start(List<TopicPartition> partitions) {
        SinkPipeline pipeline = withoutPartitions();
        context.assign(partitions);
        pipeline.open(partitions);
        return pipeline;
    }

    private SinkPipeline withoutPartitions() {
        LaneSettings lanes = new LaneSettings(100, 1 << 20, Duration.ZERO, 1, Ordering.PARTITION);
        RetrySettings retries = new RetrySettings(
                RetrySettings.UNLIMITED, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ZERO);
        SinkPipeline pipeline = new SinkPipeline(
                context,
                new TaskSettings("test-0", 1 << 20, FOREVER, SHORT, toleratesErrors),
                lanes,
                retries,
                target,
                clock);
        open = Optional.of(pipeline);
        return pipeline;
    }

    /** Started, with Kafka's group at that position, and as far as the server's word where it goes on. */
    private SinkPipeline startAt(long position) throws InterruptedException {
        SinkPipeline pipeline = start();
        assertThat(context.takeCommitRequest()).isTrue();
        commit(pipeline, position);
        settle(pipeline);
        return pipeline;
    }

    private void settle(SinkPipeline pipeline) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        do {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            LockSupport.parkNanos(100_000);
            pipeline.put(List.of());
        } while (!context.paused().isEmpty());
    }

    @AfterEach
    void stop() {
        open.ifPresent(SinkPipeline::stop);
    }

    /** What Kafka is told; empty when it is told nothing. */
    private static OptionalLong commit(SinkPipeline pipeline, long consumed) {
        OffsetAndMetadata told = pipeline.preCommit(Map.of(TIDES_0, new OffsetAndMetadata(consumed)))
                .get(TIDES_0);
        return told == null ? OptionalLong.empty() : OptionalLong.of(told.offset());
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            LockSupport.parkNanos(100_000);
        }
    }

    private static double metric(SinkPipeline pipeline, String name) {
        return pipeline.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .sum();
    }

    /** A record whose value is as it is in Kafka. */
    private static SinkRecord record(int partition, long offset, String key, String value) {
        SinkRecord record = Records.record(partition, offset, key, value);
        return record.newRecord(
                record.topic(),
                partition,
                record.keySchema(),
                record.key(),
                null,
                value == null ? null : value.getBytes(UTF_8),
                record.timestamp());
    }

    private static SinkRecord record(int partition, long offset) {
        return record(partition, offset, null, "{\"offset\":" + offset + "}");
    }

    /** The log whose records were written. */
    private static List<SinkRecord> records(long first, long end) {
        return LongStream.range(first, end)
                .mapToObj(offset -> record(0, offset))
                .toList();
    }

    private static SinkRecord other(long offset) {
        return record(0, offset, null, "{\"another\":\"log\"}");
    }

    private static List<Long> offsets(long first, long end) {
        return LongStream.range(first, end).boxed().toList();
    }

    private static Fingerprint fingerprint(long offset) {
        return Fingerprint.of(record(0, offset));
    }

    /** The offsets say that everything below this offset was written, the record before it last. */
    private void writtenUpTo(long nextOffset) {
        offsets.set(TIDES_0, new StoredOffset(nextOffset, 3, Optional.of(fingerprint(nextOffset - 1))));
    }

    private static StoredOffset entry(MemoryOffsetStore offsets) {
        return offsets.entry(TIDES_0).orElseThrow();
    }

    /** As of thousands of topics in one connector. */
    @Test
    void manyPartitionsTakeNoMoreStatementsThanOne() throws InterruptedException {
        List<TopicPartition> many =
                IntStream.range(0, 5_000).mapToObj(Records::partition).toList();
        many.forEach(partition -> offsets.set(partition, new StoredOffset(7, 3, Optional.empty())));

        SinkPipeline pipeline = start(many);
        settle(pipeline);
        assertThat(offsets.changes()).isEqualTo(1);

        pipeline.put(
                many.stream().map(partition -> record(partition.partition(), 7)).toList());
        until(() -> pipeline.bytesHeld() == 0);
        int before = offsets.changes();
        Map<TopicPartition, OffsetAndMetadata> consumed = many.stream()
                .collect(toMap(partition -> partition, partition -> new OffsetAndMetadata(9))); // 8 was dropped
        assertThat(pipeline.preCommit(consumed)).isEqualTo(consumed);
        assertThat(offsets.changes()).isEqualTo(before + 1);
    }

    @Test
    void noEntryGoesOnWhereKafkaStands() throws InterruptedException {
        SinkPipeline pipeline = startAt(7);

        pipeline.put(records(7, 10));

        assertThat(commit(pipeline, 10)).hasValue(10);
        assertThat(context.takeRewound()).isEmpty();
        assertThat(offsets.rows(TIDES_0)).containsExactly(7L, 8L, 9L);
        assertThat(entry(offsets).nextOffset()).isEqualTo(10);
    }

    @Test
    void sameAndSameRecordGoesOn() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));

        pipeline.put(records(4, 8));

        assertThat(commit(pipeline, 8)).hasValue(8);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L, 6L, 7L);
        assertThat(metric(pipeline, "records-delivered-again-total")).isZero();
    }

    @Test
    void sameAndOtherRecordFailsAndNamesTheCall() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);

        assertThatThrownBy(() -> pipeline.put(List.of(other(4), other(5))))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "tides-0 does not have the records that were written up to offset 5: the record at 4 is not the one that"
                                + " was written last. The topic was recreated or truncated, or is another cluster's, or"
                                + " a transform gives records another timestamp each time."
                                + " Nothing of it is written. To write it from its beginning, stop the connector and call"
                                + " PATCH /connectors/test/offsets with {\"offsets\": [{\"partition\": {\"kafka_topic\":"
                                + " \"tides\", \"kafka_partition\": 0}, \"offset\": {\"kafka_offset\": 0}}]}; to go on"
                                + " where the server stands, with \"kafka_offset\": 5; then resume it");
        assertThat(commit(pipeline, 4)).isEmpty();
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    /** Otherwise each restart would read them again, and write none. */
    @Test
    void recordsBeforeThoseOfAnotherLogAreWrittenWhileTheTaskFails() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = start(List.of(TIDES_0, TIDES_1));
        commit(pipeline, 5);
        settle(pipeline);

        assertThatThrownBy(() -> pipeline.put(List.of(record(1, 0), record(1, 1), other(4))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
        until(() -> offsets.rows(TIDES_1).equals(offsets(0, 2)));
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    /** As after a migration with Kafka's groups, whose offsets were translated. */
    @Test
    void anotherLogFailsAndNamesWhereItsGroupStands() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(3);

        assertThatThrownBy(() -> pipeline.put(List.of(other(4), other(5))))
                .hasMessageContaining("does not have the records that were written up to offset 5")
                .hasMessageEndingWith(
                        "with \"kafka_offset\": 5; to go on where Kafka's group stood, with 3; then resume it");
    }

    @Test
    void sameAndAShorterLogFailsAndNamesTheCall() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);

        assertThatThrownBy(() -> pipeline.put(records(0, 3)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("Kafka was asked for offset 4 and delivered 0, so the log is shorter than it was")
                .hasMessageContaining("PATCH /connectors/test/offsets");
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    @Test
    void sameAndRecordGoneGoesOn() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);

        deliverWithoutTheLastRecord(pipeline, records(6, 8));

        assertThat(commit(pipeline, 8)).hasValue(8);
        assertThat(offsets.rows(TIDES_0)).containsExactly(6L, 7L);
        assertThat(metric(pipeline, "records-missing-total")).isZero();
    }

    /** With auto.offset.reset=latest, the consumer goes from the record that is gone to the end of the partition. */
    @Test
    void sameAndRecordGoneMissesNoneOfThoseBehindIt() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));

        pipeline.put(records(8, 9));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        pipeline.put(records(5, 9));

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 9));
    }

    /** It goes to where it stands, because what came may not be what follows there. */
    private void deliverWithoutTheLastRecord(SinkPipeline pipeline, List<SinkRecord> records)
            throws InterruptedException {
        boolean unused = context.takeRewound().isEmpty();
        pipeline.put(records);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        pipeline.put(new ArrayList<>(records));
    }

    @Test
    void sameAndRecordNotKnownGoesOn() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.empty()));
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));

        pipeline.put(List.of(other(5)));

        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L);
    }

    @Test
    void sameAndRecordWrittenUnderOtherRulesGoesOn() throws InterruptedException {
        Fingerprint timeOnly = new Fingerprint(4, 1_700_000_000_000L, OptionalLong.empty());
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.of(timeOnly)));
        SinkPipeline pipeline = startAt(5);
        SinkRecord mappedOtherwise = at(timeOnly.timestamp(), other(4));

        pipeline.put(List.of(mappedOtherwise, record(0, 5)));

        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L);
    }

    private static SinkRecord at(long timestamp, SinkRecord record) {
        return new SinkRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                record.valueSchema(),
                record.value(),
                record.kafkaOffset(),
                timestamp,
                TimestampType.CREATE_TIME);
    }

    @Test
    void behindAndSameRecordWritesAgainWhatTheServerLost() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
        assertThat(commit(pipeline, 4)).as("Kafka's group stays where it was").isEmpty();

        pipeline.put(records(4, 7));
        assertThat(commit(pipeline, 7)).as("Kafka's group stays where it was").isEmpty();
        pipeline.put(records(7, 11));

        assertThat(commit(pipeline, 11)).hasValue(11);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 11));
        assertThat(metric(pipeline, "records-delivered-again-total")).isEqualTo(4);
        assertThat(metric(pipeline, "records-missing-total")).isZero();
    }

    @Test
    void behindThoughTheServerAnsweredLate() throws InterruptedException {
        writtenUpTo(5);
        offsets.goDown("starting up");
        SinkPipeline pipeline = start();
        assertThat(commit(pipeline, 9)).isEmpty();
        assertThat(context.paused()).containsExactly(TIDES_0);
        offsets.comeUp();
        settle(pipeline);

        pipeline.put(records(4, 9));

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(metric(pipeline, "records-delivered-again-total")).isEqualTo(4);
    }

    @Test
    void behindAndOtherRecordFails() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);

        assertThatThrownBy(() -> pipeline.put(List.of(other(4), other(5))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    @Test
    void behindAndRecordGoneCountsWhatIsMissing() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);

        deliverWithoutTheLastRecord(pipeline, records(7, 10));

        assertThat(commit(pipeline, 10)).hasValue(10);
        assertThat(offsets.rows(TIDES_0)).containsExactly(7L, 8L, 9L);
        assertThat(metric(pipeline, "records-missing-total")).isEqualTo(2);
        assertThat(metric(pipeline, "records-delivered-again-total")).isEqualTo(2);
    }

    @Test
    void behindAndRecordGoneFailsWhereTheSettingSaysSo() throws InterruptedException {
        target.failingOnMissing();
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);

        assertThatThrownBy(() -> deliverWithoutTheLastRecord(pipeline, records(7, 10)))
                .isInstanceOf(ConnectException.class)
                .hasMessage("tides-0: the server lost offsets 5 to 6, and Kafka delivers none of them again: they were"
                        + " removed by retention or compaction, dropped by a transform, or are no records;"
                        + " behavior.on.missing.records=warn goes on without them");
        assertThat(commit(pipeline, 4)).as("so that it fails again").isEmpty();
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    @Test
    void behindAndRecordNotKnownWritesAgain() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.empty()));
        SinkPipeline pipeline = startAt(9);

        pipeline.put(records(5, 9));

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 9));
    }

    @Test
    void whatIsRefusedOrWithoutAValueIsNotMissing() throws InterruptedException {
        target.failingOnMissing();
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);

        pipeline.put(
                List.of(record(0, 4), record(0, 5, "k", null), record(0, 6, null, ""), record(0, 7), record(0, 8)));

        until(() -> commit(pipeline, 9).equals(OptionalLong.of(9)));
        assertThat(metric(pipeline, "records-missing-total")).isZero();
        assertThat(reporter.offsets()).containsExactly(6L);
    }

    @Test
    void aheadAndSameRecordSkipsWhatIsWritten() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(2);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));

        pipeline.put(records(4, 5));

        assertThat(commit(pipeline, 5)).as("though no further record comes").hasValue(5);
        pipeline.put(records(5, 6));
        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L);
    }

    @Test
    void aheadAndOtherRecordFails() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(2);

        assertThatThrownBy(() -> pipeline.put(List.of(other(4))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
    }

    @Test
    void aheadAndRecordGoneGoesOn() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(2);

        deliverWithoutTheLastRecord(pipeline, records(8, 9));

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(metric(pipeline, "records-missing-total")).isZero();
    }

    @Test
    void aheadAndRecordNotKnownSkipsWhatIsWritten() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.empty()));
        SinkPipeline pipeline = startAt(2);

        pipeline.put(records(5, 6));

        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L);
    }

    @Test
    void asksForWhatComesAfterRecordsThatMovedNoRow() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(9, 3, Optional.of(fingerprint(4))));
        SinkPipeline pipeline = startAt(9);

        pipeline.put(records(4, 7));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 9L));
        pipeline.put(records(9, 10));

        assertThat(commit(pipeline, 10)).hasValue(10);
        assertThat(offsets.rows(TIDES_0)).containsExactly(9L);
    }

    /** The records that were read with the last one written are dropped, because Connect has yet to go back. */
    @Test
    void commitsWhatATransformDropsAfterRecordsThatMovedNoRow() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(9, 3, Optional.of(fingerprint(4))));
        SinkPipeline pipeline = startAt(9);
        pipeline.put(records(4, 7));
        assertThat(commit(pipeline, 7)).isEmpty();

        pipeline.put(List.of()); // Connect has gone back to 9, and a transform has dropped all up to 20

        assertThat(commit(pipeline, 20)).hasValue(20);
        assertThat(entry(offsets).nextOffset()).isEqualTo(20);
    }

    @Test
    void sameAndARecordThatCannotBeMappedFails() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);

        assertThatThrownBy(() -> pipeline.put(List.of(record(0, 4, null, ""))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
    }

    @Test
    void sameAndALogThatEndsAmongRecordsThatMovedNoRowFails() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(9, 3, Optional.of(fingerprint(4))));
        SinkPipeline pipeline = startAt(9);
        pipeline.put(records(4, 5));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 9L));

        assertThatThrownBy(() -> pipeline.put(records(0, 3)))
                .hasMessageContaining(
                        "Kafka was asked for offset 9 and delivered 0, so the log is shorter than it was");
    }

    @Test
    void aCommitThatComesLateShowsNoLoss() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = start();
        settle(pipeline);
        pipeline.put(records(4, 9));

        assertThat(commit(pipeline, 9)).hasValue(9);
        pipeline.put(records(9, 11));

        assertThat(commit(pipeline, 11)).hasValue(11);
        assertThat(metric(pipeline, "records-delivered-again-total")).isZero();
    }

    /**
     * A task that has written up to 5, and then reads another log from its beginning. It has asked for the last record.
     *
     * @param group where Kafka's group stood when the task began
     */
    private SinkPipeline setBackToAnotherLog(long group) throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(group);
        pipeline.put(records(4, 5));
        assertThat(commit(pipeline, 5)).hasValue(5);
        context.takeRewound();

        pipeline.put(List.of(other(0), other(1)));
        goesBackTo(4, pipeline);
        return pipeline;
    }

    @Test
    void aLogThatBeginsAgainIsNotTakenForWrittenRecords() throws InterruptedException {
        SinkPipeline pipeline = setBackToAnotherLog(5);

        assertThatThrownBy(() -> pipeline.put(List.of(other(0), other(1))))
                .hasMessageContaining("Kafka was asked for offset 4 and delivered 0");
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    /** It is of the log that was there before. */
    @Test
    void whereTheGroupStoodBeforeIsNotNamed() throws InterruptedException {
        SinkPipeline pipeline = setBackToAnotherLog(3);

        assertThatThrownBy(() -> pipeline.put(List.of(other(4))))
                .hasMessageContaining("does not have the records that were written up to offset 5")
                .hasMessageEndingWith("with \"kafka_offset\": 5; then resume it");
    }

    /** A task that has written up to 5. */
    private SinkPipeline running() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        pipeline.put(records(0, 5));
        assertThat(commit(pipeline, 5)).hasValue(5);
        return pipeline;
    }

    /** Writes five records. Returns the offsets as they were after three. */
    private MemoryOffsetStore.State writeFiveAndKeepThree(SinkPipeline pipeline) throws InterruptedException {
        pipeline.put(records(0, 3));
        assertThat(commit(pipeline, 3)).hasValue(3);
        MemoryOffsetStore.State past = offsets.state();
        pipeline.put(records(3, 5));
        assertThat(commit(pipeline, 5)).hasValue(5);
        return past;
    }

    private void goesBackTo(long offset, SinkPipeline pipeline) throws InterruptedException {
        goesBackTo(TIDES_0, offset, pipeline);
    }

    private void goesBackTo(TopicPartition partition, long offset, SinkPipeline pipeline) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        Map<TopicPartition, Long> rewound = Map.of();
        while (rewound.isEmpty()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
            LockSupport.parkNanos(100_000);
            pipeline.put(List.of());
            rewound = context.takeRewound();
        }
        assertThat(rewound).containsExactly(Map.entry(partition, offset));
    }

    @Test
    void runningAnswerLostIsRecognised() throws InterruptedException {
        SinkPipeline pipeline = running();
        answersLost.set(1);

        pipeline.put(records(5, 8));

        until(() -> commit(pipeline, 8).equals(OptionalLong.of(8)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 8));
        assertThat(metric(pipeline, "records-recognised-total")).isEqualTo(3);
        assertThat(metric(pipeline, "records-delivered-again-total")).isZero();
    }

    @Test
    void runningBehindInTheSameGenerationWritesAgain() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        offsets.restore(writeFiveAndKeepThree(pipeline));

        pipeline.put(records(5, 8));
        goesBackTo(2, pipeline);
        assertThat(commit(pipeline, 8)).as("Kafka's group stays where it was").isEmpty();
        pipeline.put(records(2, 8));

        until(() -> commit(pipeline, 8).equals(OptionalLong.of(8)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 8));
        assertThat(metric(pipeline, "records-delivered-again-total")).isEqualTo(2);
    }

    @Test
    void runningBehindInALowerGenerationWritesAgain() throws InterruptedException {
        writtenUpTo(2);
        MemoryOffsetStore.State past = offsets.state();
        SinkPipeline pipeline = startAt(2);
        pipeline.put(records(1, 5));
        assertThat(commit(pipeline, 5)).hasValue(5);
        context.takeRewound();
        offsets.restore(past);

        pipeline.put(records(5, 6));
        goesBackTo(1, pipeline);
        pipeline.put(records(1, 6));

        until(() -> commit(pipeline, 6).equals(OptionalLong.of(6)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(2, 6));
    }

    @Test
    void runningEntryGoneWritesAgainFromWhereTheTaskBegan() throws InterruptedException {
        MemoryOffsetStore.State past = offsets.state();
        SinkPipeline pipeline = running();
        offsets.restore(past);

        pipeline.put(records(5, 6));
        goesBackTo(0, pipeline);
        pipeline.put(records(0, 6));

        until(() -> commit(pipeline, 6).equals(OptionalLong.of(6)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 6));
    }

    @Test
    void runningEntryGoneAfterItHadComeBackOlderGoesAllTheWay() throws InterruptedException {
        MemoryOffsetStore.State nothing = offsets.state();
        SinkPipeline pipeline = startAt(0);
        offsets.restore(writeFiveAndKeepThree(pipeline));
        pipeline.put(records(5, 6));
        goesBackTo(2, pipeline);
        pipeline.put(records(2, 6));
        until(() -> commit(pipeline, 6).equals(OptionalLong.of(6)));
        offsets.restore(nothing);

        pipeline.put(records(6, 7));
        goesBackTo(0, pipeline);
        pipeline.put(records(0, 7));

        until(() -> commit(pipeline, 7).equals(OptionalLong.of(7)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 7));
    }

    @Test
    void runningHigherGenerationWritesNothing() throws InterruptedException {
        SinkPipeline pipeline = running();
        StoredOffset mine = entry(offsets);
        offsets.set(TIDES_0, new StoredOffset(mine.nextOffset(), mine.generation() + 1, mine.lastRecord()));

        pipeline.put(records(5, 8));

        assertThat(commit(pipeline, 8)).hasValue(5);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 5));
        assertThat(metric(pipeline, "records-written-total")).isEqualTo(5);
        assertThat(context.takeRewound()).isEmpty();
    }

    @Test
    void runningHigherGenerationIsClaimedAgainByItsOwnerAfterAWhile() throws InterruptedException {
        SinkPipeline pipeline = running();
        StoredOffset mine = entry(offsets);
        offsets.set(TIDES_0, new StoredOffset(mine.nextOffset(), mine.generation() + 1, mine.lastRecord()));
        pipeline.put(records(5, 8));

        goesBackTo(4, pipeline);
        pipeline.put(records(4, 8));

        until(() -> commit(pipeline, 8).equals(OptionalLong.of(8)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 8));
        assertThat(metric(pipeline, "records-delivered-again-total")).isZero();
    }

    private void needsARegistry() {
        target.preparing(records -> {
            if (isRegistryDown.get() && !records.isEmpty()) {
                throw new RetriableException("no answer");
            }
        });
    }

    /** A pause of the connector can make Connect deliver records of partitions that it has not opened. */
    @Test
    void aPartitionThatWasNotOpenedIsClaimedWithItsFirstRecord() throws InterruptedException {
        TopicPartition other = partition(1);
        SinkPipeline pipeline = startAt(0);
        context.assign(List.of(other));
        List<SinkRecord> records = List.of(record(1, 0), record(1, 1), record(1, 2));

        pipeline.put(records);
        assertThat(context.paused()).contains(other);
        assertThat(pipeline.preCommit(Map.of(other, new OffsetAndMetadata(3)))).isEmpty();
        settle(pipeline);
        assertThat(context.takeRewound()).containsEntry(other, 0L);
        pipeline.put(records);

        assertThat(pipeline.preCommit(Map.of(other, new OffsetAndMetadata(3))))
                .containsEntry(other, new OffsetAndMetadata(3));
        assertThat(offsets.rows(other)).isEqualTo(offsets(0, 3));
    }

    @Test
    void aPartitionThatWasNotOpenedLosesNothingIfItsFirstRecordsCannotBeMapped() throws InterruptedException {
        TopicPartition other = partition(1);
        needsARegistry();
        SinkPipeline pipeline = startAt(0);
        isRegistryDown.set(true);
        pipeline.put(records(0, 1));
        context.assign(List.of(other));
        List<SinkRecord> first = List.of(record(1, 0), record(1, 1), record(1, 2));
        pipeline.put(first);
        goesBackTo(other, 0, pipeline);
        assertThat(context.paused()).containsExactlyInAnyOrder(TIDES_0, other);
        isRegistryDown.set(false);
        pipeline.put(List.of());
        assertThat(context.paused()).isEmpty();
        pipeline.put(first);

        assertThat(pipeline.preCommit(Map.of(other, new OffsetAndMetadata(3))))
                .containsEntry(other, new OffsetAndMetadata(3));
        assertThat(offsets.rows(other)).isEqualTo(offsets(0, 3));
    }

    /** Its reader goes on behind the record that the error names. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failsAtARefusedRecordWhenAllBeforeItIsWritten(boolean isOfServer) throws InterruptedException {
        toleratesErrors = false;
        SinkPipeline pipeline = startAt(0);
        if (isOfServer) {
            poison.add(5L);
        }
        List<SinkRecord> read = new ArrayList<>(records(0, 5));
        read.add(isOfServer ? record(0, 5) : record(0, 5, null, ""));
        read.addAll(records(6, 9));
        assertThatThrownBy(() -> putUntilItFails(pipeline, read)).hasMessageStartingWith("tides-0@5 cannot be written");
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 5));
        assertThat(offsets.entry(TIDES_0).orElseThrow().nextOffset()).isEqualTo(5);
    }

    /** The lane waits for the report in the middle of the retry, until which they count as postponed. */
    @Test
    void failsAtARefusedRecordAmongPostponedOnes() throws InterruptedException {
        toleratesErrors = false;
        SinkPipeline pipeline = startAt(0);
        poison.add(5L);
        closings.set(1);
        assertThatThrownBy(() -> putUntilItFails(pipeline, records(0, 9)))
                .hasMessageStartingWith("tides-0@5 cannot be written");
        assertThat(closings).hasValue(0);
        assertThat(offsets.rows(TIDES_0)).isSubsetOf(offsets(0, 5));
    }

    private static void putUntilItFails(SinkPipeline pipeline, List<SinkRecord> read) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        pipeline.put(read);
        while (System.nanoTime() < deadline) {
            pipeline.put(List.of());
            LockSupport.parkNanos(100_000);
        }
    }

    /** They are not behind the refused record. */
    @Test
    void recordsOfAnotherPartitionDoNotWaitForAReport() throws InterruptedException {
        SinkPipeline pipeline = start(List.of(TIDES_0, TIDES_1));
        settle(pipeline);
        reporter.holdConfirmations();
        List<SinkRecord> read = new ArrayList<>(List.of(record(0, 0), record(0, 1, null, ""), record(0, 2)));
        read.addAll(List.of(record(1, 0), record(1, 1)));
        pipeline.put(read);

        until(() -> offsets.rows(TIDES_1).size() == 2);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 1));
        reporter.confirmAll();
        pipeline.put(List.of());
        until(() -> offsets.rows(TIDES_0).size() == 2);
    }

    private void giveBack(SinkPipeline pipeline) throws InterruptedException {
        context.revoke(List.of(TIDES_0));
        pipeline.close(List.of(TIDES_0));
        context.assign(List.of(TIDES_0));
        pipeline.open(List.of(TIDES_0));
    }

    @Test
    void commitsNothingAboveARecordThatCannotBeMapped() throws InterruptedException {
        needsARegistry();
        SinkPipeline pipeline = running();
        isRegistryDown.set(true);
        pipeline.put(List.of(record(0, 7), record(0, 8)));

        assertThat(commit(pipeline, 12)).as("5 and 6 were dropped").hasValue(7);
        assertThat(entry(offsets).nextOffset()).isEqualTo(7);
        isRegistryDown.set(false);
        pipeline.put(List.of());
        assertThat(commit(pipeline, 12)).hasValue(12);
        assertThat(offsets.rows(TIDES_0)).containsExactly(0L, 1L, 2L, 3L, 4L, 7L, 8L);
    }

    /** The first record shows whether this is the log that was written, also before it can be mapped. */
    @Test
    void sameAndSameRecordGoesOnThoughItCannotBeMapped() throws InterruptedException {
        needsARegistry();
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
        isRegistryDown.set(true);
        pipeline.put(records(4, 8));
        for (int i = 0; i < 10; i++) {
            clock.pass(Duration.ofMinutes(1));
            pipeline.put(List.of());
            assertThat(commit(pipeline, 8)).hasValue(5);
        }
        assertThat(context.rewound()).isEmpty();
        isRegistryDown.set(false);
        pipeline.put(List.of());

        assertThat(commit(pipeline, 8)).hasValue(8);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L, 6L, 7L);
    }

    /** Kafka delivers all again, from where the group stands. */
    @Test
    void forgetsRecordsThatCannotBeMappedOfAPartitionThatWasTakenAwayAndGivenBack() throws InterruptedException {
        needsARegistry();
        SinkPipeline pipeline = startAt(0);
        isRegistryDown.set(true);
        pipeline.put(records(3, 5));
        giveBack(pipeline);
        assertThat(pipeline.bytesHeld()).isZero();
        commit(pipeline, 0);
        pipeline.put(List.of());
        isRegistryDown.set(false);
        settle(pipeline);
        pipeline.put(records(0, 5));

        assertThat(commit(pipeline, 5)).hasValue(5);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 5));
    }

    @Test
    void aClaimedPartitionStaysPausedWhileRecordsOfOthersCannotBeMapped() throws InterruptedException {
        needsARegistry();
        SinkPipeline pipeline = startAt(0);
        isRegistryDown.set(true);
        pipeline.put(records(0, 3));
        offsets.set(TIDES_1, new StoredOffset(7, 3, Optional.empty()));
        context.assign(List.of(TIDES_1));
        pipeline.open(List.of(TIDES_1));
        goesBackTo(TIDES_1, 7, pipeline);
        assertThat(context.paused()).containsExactlyInAnyOrder(TIDES_0, TIDES_1);
        isRegistryDown.set(false);
        pipeline.put(List.of());
        assertThat(context.paused()).isEmpty();
    }

    /** Kafka delivers those again that wait, behind what the server lost. */
    @Test
    void runningBehindForgetsRecordsThatCannotBeMapped() throws InterruptedException {
        needsARegistry();
        SinkPipeline pipeline = startAt(0);
        offsets.restore(writeFiveAndKeepThree(pipeline));
        context.takeRewound();
        isRegistryDown.set(true);
        pipeline.put(records(5, 8));
        goesBackTo(2, pipeline);
        assertThat(pipeline.bytesHeld()).isZero();
        assertThat(context.paused()).isEmpty();
        pipeline.put(records(2, 8));
        assertThat(commit(pipeline, 8)).as("Kafka's group stays where it was").isEmpty();
        isRegistryDown.set(false);
        pipeline.put(List.of());

        until(() -> commit(pipeline, 8).equals(OptionalLong.of(8)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 8));
        assertThat(metric(pipeline, "records-missing-total")).isZero();
    }

    /** As after an unclean election. The server does not know the partition yet. */
    @Test
    void losesNothingThatCannotBeMappedWhenTheConsumerIsSetBackBehindIt() throws InterruptedException {
        needsARegistry();
        SinkPipeline pipeline = startAt(3);
        isRegistryDown.set(true);
        pipeline.put(records(3, 8));
        pipeline.put(records(5, 8));
        assertThat(commit(pipeline, 8)).isEmpty();
        goesBackTo(3, pipeline);
        isRegistryDown.set(false);
        pipeline.put(records(3, 8));

        until(() -> commit(pipeline, 8).equals(OptionalLong.of(8)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(3, 8));
    }

    /** With what the task returns, Connect commits for each other partition where it was last set back to. */
    @Test
    void behindCommitsNothingOfTheTaskUntilTheServerHasAgainWhatItLost() throws InterruptedException {
        TopicPartition other = partition(1);
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(9);
        context.assign(List.of(other));
        pipeline.open(List.of(other));
        settle(pipeline);
        List<SinkRecord> both = new ArrayList<>(records(4, 7));
        both.add(record(1, 0));
        pipeline.put(both);

        assertThat(pipeline.preCommit(Map.of(TIDES_0, new OffsetAndMetadata(7), other, new OffsetAndMetadata(1))))
                .as("Kafka's group would be set back to 4, and the next task would not know of the loss")
                .isEmpty();
        pipeline.put(records(7, 9));

        Map<TopicPartition, OffsetAndMetadata> all =
                Map.of(TIDES_0, new OffsetAndMetadata(9), other, new OffsetAndMetadata(1));
        until(() -> pipeline.preCommit(all).equals(all));
    }

    /** Connect was set back by one record, to compare it. */
    @Test
    void runningForgottenCommitsNothingOfTheTaskUntilTheServerHasAgainWhatItLost() throws InterruptedException {
        TopicPartition other = partition(1);
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        context.assign(List.of(other));
        pipeline.open(List.of(other));
        settle(pipeline);
        List<SinkRecord> both = new ArrayList<>(records(4, 7));
        both.add(record(1, 0));
        pipeline.put(both);
        Map<TopicPartition, OffsetAndMetadata> written =
                Map.of(TIDES_0, new OffsetAndMetadata(7), other, new OffsetAndMetadata(1));
        until(() -> pipeline.preCommit(written).equals(written));
        offsets.set(TIDES_0, new StoredOffset(4, 1, Optional.empty()));

        Map<TopicPartition, OffsetAndMetadata> filtered =
                Map.of(TIDES_0, new OffsetAndMetadata(8), other, new OffsetAndMetadata(1));
        assertThat(pipeline.preCommit(filtered)).as("it is given up").isEmpty();
        pipeline.put(List.of());
        assertThat(pipeline.preCommit(filtered)).as("it is claimed again").isEmpty();
        settle(pipeline);
        assertThat(pipeline.preCommit(written)).as("it is written again").isEmpty();
        pipeline.put(records(4, 8));

        until(() -> pipeline.preCommit(filtered).equals(filtered));
    }

    @Test
    void sameAndNothingToCompareGoesOnAndCountsIt() throws InterruptedException {
        Fingerprint nothing = new Fingerprint(4, Fingerprint.NO_TIMESTAMP, OptionalLong.empty());
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.of(nothing)));
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));

        pipeline.put(List.of(other(5)));

        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
    }

    /** A converter has made the value, and nothing says that it makes the same of the same record. */
    @Test
    void sameAndAValueThatIsNotAsInKafkaGoesOn() throws InterruptedException {
        long timestamp = 1_700_000_000_000L;
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.of(Fingerprint.of(at(timestamp, record(0, 4))))));
        SinkPipeline pipeline = startAt(5);

        pipeline.put(List.of(at(timestamp, Records.record(0, 4, null, "{\"made\":\"now\"}")), record(0, 5)));

        assertThat(commit(pipeline, 6)).hasValue(6);
        assertThat(offsets.rows(TIDES_0)).containsExactly(5L);
        assertThat(metric(pipeline, "logs-unchecked-total")).isZero();
    }

    @Test
    void sameAndAnotherTimestampFails() throws InterruptedException {
        offsets.set(TIDES_0, new StoredOffset(5, 3, Optional.of(Fingerprint.of(at(1_000, record(0, 4))))));
        SinkPipeline pipeline = startAt(5);

        assertThatThrownBy(() -> pipeline.put(List.of(at(2_000, record(0, 4)))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
    }

    @Test
    void sameAndALogOfWhichATransformDropsEverythingGoesOn() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
        pipeline.put(List.of());

        assertThat(commit(pipeline, 9)).as("what came may be the end").isEmpty();
        pipeline.put(List.of());
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        assertThat(commit(pipeline, 5)).isEmpty();
        pipeline.put(List.of());
        assertThat(commit(pipeline, 9)).as("5 to 8 were dropped").hasValue(9);
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
        pipeline.put(records(9, 10));

        assertThat(commit(pipeline, 10)).hasValue(10);
        assertThat(offsets.rows(TIDES_0)).containsExactly(9L);
    }

    /** Two partitions; the first one was written up to 5, is idle, and its last record is gone. */
    private SinkPipeline idleWithoutItsLastRecord() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = start(List.of(TIDES_0, TIDES_1));
        commit(pipeline, 5);
        settle(pipeline);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
        pipeline.put(List.of(record(1, 0)));
        assertThat(context.takeRewound()).isEmpty();
        clock.pass(Duration.ofSeconds(30));
        pipeline.put(List.of(record(1, 1)));
        return pipeline;
    }

    /** Connect commits for it where it has gone back to, when another partition has something to commit. */
    @Test
    void sameAndRecordGoneDoesNotKeepAnIdlePartitionBehindItsGroup() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        clock.pass(Duration.ofHours(1));
        pipeline.put(List.of());
        pipeline.put(List.of());
        assertThat(context.takeRewound()).isEmpty();

        pipeline.put(records(5, 7));
        assertThat(context.takeRewound())
                .as("the last record may have been slow to come")
                .containsExactly(Map.entry(TIDES_0, 4L));
        pipeline.put(records(5, 7));

        assertThat(context.takeRewound()).isEmpty();
        assertThat(commit(pipeline, 7)).hasValue(7);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 7));
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
    }

    /** With auto.offset.reset=latest, what came at the next offset is not what comes now. */
    @Test
    void sameAndRecordGoneWaitsForItAgainButNotForEver() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();
        pipeline.put(records(5, 7));
        context.takeRewound();
        pipeline.put(List.of());
        clock.pass(Duration.ofMinutes(5));
        pipeline.put(List.of());
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        pipeline.put(records(5, 7));

        assertThat(context.takeRewound()).isEmpty();
        assertThat(commit(pipeline, 7)).hasValue(7);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 7));
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
    }

    @Test
    void sameAndOtherRecordFailsThoughItComesLate() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();
        pipeline.put(List.of(other(5)));

        assertThatThrownBy(() -> pipeline.put(List.of(other(4), other(5))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    /** While the consumer reads other partitions, or all are paused, no time is long enough to give the comparison up. */
    @Test
    void sameAndOtherRecordFailsThoughItComesLateBehindThoseOfOthers() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();
        pipeline.put(List.of(other(5)));
        for (int offset = 2; offset < 20; offset++) {
            clock.pass(Duration.ofMinutes(1));
            pipeline.put(List.of(record(1, offset)));
        }

        assertThatThrownBy(() -> pipeline.put(List.of(other(4), other(5))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
        assertThat(offsets.rows(TIDES_0)).isEmpty();
    }

    @Test
    void sameAndOtherRecordFailsThoughItComesWhenTheTimeIsOver() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        pipeline.put(List.of());
        clock.pass(Duration.ofSeconds(30));

        assertThatThrownBy(() -> pipeline.put(List.of(other(4))))
                .hasMessageContaining("the record at 4 is not the one that was written last");
    }

    @Test
    void sameAndAShorterLogFailsThoughItComesLate() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();

        assertThatThrownBy(() -> pipeline.put(List.of(other(4))))
                .hasMessageContaining(
                        "Kafka was asked for offset 5 and delivered 4, so the log is shorter than it was");
    }

    @Test
    void sameAndAnIdlePartitionOfWhichATransformDropsEverythingGoesOn() throws InterruptedException {
        SinkPipeline pipeline = idleWithoutItsLastRecord();
        for (long next : List.of(4L, 5L)) {
            pipeline.put(List.of());
            assertThat(commit(pipeline, 9)).isEmpty();
            context.takeRewound();
            pipeline.put(List.of());
            assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, next));
        }
        pipeline.put(List.of());

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
    }

    /** With auto.offset.reset=latest: from the end, a transform drops those that come first. */
    @Test
    void sameAndRecordGoneMissesNoneThoughATransformDropsWhatComes() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
        pipeline.put(List.of());
        assertThat(commit(pipeline, 9)).isEmpty();

        pipeline.put(records(9, 11)); // read before Connect goes back
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));
        pipeline.put(records(5, 8));

        assertThat(commit(pipeline, 9)).hasValue(9);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(5, 8));
        assertThat(metric(pipeline, "logs-unchecked-total")).isEqualTo(1);
    }

    /** With auto.offset.reset=latest, each request for an offset that is gone leads to another end. */
    @Test
    void sameAndRetentionPassedTheGroupGoesOnWhereKafkaCameFirst() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        pipeline.put(records(8, 9));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));

        pipeline.put(records(12, 13));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 8L));
        pipeline.put(records(8, 13));

        assertThat(commit(pipeline, 13)).hasValue(13);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(8, 13));
    }

    @Test
    void sameAndRetentionPassedTheGroupGoesOnWhereKafkaCameFirstThoughATransformDropsThose()
            throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = startAt(5);
        context.takeRewound();
        pipeline.put(List.of());
        assertThat(commit(pipeline, 8)).isEmpty();
        pipeline.put(List.of());
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 5L));

        pipeline.put(List.of());
        assertThat(commit(pipeline, 12)).isEmpty();
        pipeline.put(List.of());
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 8L));
        pipeline.put(records(9, 13));

        assertThat(commit(pipeline, 13)).hasValue(13);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(9, 13));
    }

    /** With auto.offset.reset=latest, and Kafka has none of the records that the server lost. */
    @Test
    void behindAndAllThatWasLostGoneMissesNoneOfThoseBehindThem() throws InterruptedException {
        writtenUpTo(3);
        SinkPipeline pipeline = startAt(10);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 2L));
        pipeline.put(records(20, 22));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 3L));
        pipeline.put(records(20, 22));
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 10L));
        pipeline.put(records(10, 22));

        assertThat(commit(pipeline, 22)).hasValue(22);
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(10, 22));
        assertThat(metric(pipeline, "records-missing-total")).as("3 to 9").isEqualTo(7);
    }

    @Test
    void runningForgottenWithNothingMoreToWriteIsSeenByTheNextCommit() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        offsets.restore(writeFiveAndKeepThree(pipeline));

        assertThat(commit(pipeline, 6)).as("a record was filtered").isEmpty();
        goesBackTo(2, pipeline);
        pipeline.put(records(2, 5));

        until(() -> commit(pipeline, 6).equals(OptionalLong.of(6)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 5));
    }

    @Test
    void runningForgottenIsSeenThoughNoRecordAndNoCommitComes() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        offsets.restore(writeFiveAndKeepThree(pipeline));

        goesBackTo(2, pipeline);
        pipeline.put(records(2, 5));

        until(() -> commit(pipeline, 5).equals(OptionalLong.of(5)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 5));
    }

    /** Connect assigns partitions in a poll. By default that lasts up to a minute, and nothing is read before it ends. */
    @Test
    void wantsToBeCalledSoonInCaseItIsGivenPartitions() throws InterruptedException {
        SinkPipeline pipeline = withoutPartitions();
        assertThat(context.takeTimeout()).as("the first poll").isEqualTo(1_000);

        context.assign(List.of(TIDES_0));
        pipeline.open(List.of(TIDES_0));
        settle(pipeline);
        pipeline.put(List.of());
        assertThat(context.takeTimeout()).as("each poll of an idle task").isEqualTo(1_000);
    }

    @Test
    void asksAnIdleServerAgainUntilItAnswersAndTakesNoneOfThatForAnOutage() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        MemoryOffsetStore.State past = writeFiveAndKeepThree(pipeline);
        context.takeRewound();
        offsets.goDown("failover");
        target.changeServer();
        for (int i = 0; i < 100; i++) {
            pipeline.put(List.of());
            LockSupport.parkNanos(100_000);
        }
        assertThat(context.takeTimeout()).as("calls again soon").isEqualTo(100);
        assertThat(metric(pipeline, "outage-ms-total")).isZero();

        offsets.restore(past);
        offsets.comeUp();
        goesBackTo(2, pipeline);
    }

    @Test
    void waitsForTheServersWordBeforeAnythingIsDelivered() throws InterruptedException {
        writtenUpTo(5);
        offsets.goDown("starting up");
        SinkPipeline pipeline = start();

        pipeline.put(List.of());
        pipeline.put(List.of());
        assertThat(context.paused()).as("back-pressure does not resume it").containsExactly(TIDES_0);
        while (pipeline.outages().findAny().isEmpty()) {
            LockSupport.parkNanos(100_000);
        }
        pipeline.put(List.of());
        assertThat(context.takeTimeout()).as("a thousand tasks may wait").isEqualTo(500);
        assertThat(commit(pipeline, 5)).isEmpty();
        assertThat(context.takeRewound()).isEmpty();

        offsets.comeUp();
        settle(pipeline);
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 4L));
    }

    @Test
    void takesNothingUntilConnectHasGoneBack() throws InterruptedException {
        SinkPipeline pipeline = startAt(0);
        pipeline.put(records(0, 3));
        assertThat(commit(pipeline, 3)).hasValue(3);
        offsets.set(TIDES_0, new StoredOffset(1, 1, Optional.of(fingerprint(0))));
        pipeline.put(records(3, 4));
        List<SinkRecord> onTheirWay = new ArrayList<>(records(4, 5));
        until(() -> {
            try {
                pipeline.put(onTheirWay);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            long next = onTheirWay.get(0).kafkaOffset() + 1;
            onTheirWay.set(0, record(0, next));
            return !context.rewound().isEmpty();
        });

        assertThat(pipeline.preCommit(Map.of(TIDES_0, new OffsetAndMetadata(9))))
                .isEmpty();
        assertThat(context.takeRewound()).containsExactly(Map.entry(TIDES_0, 0L));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 3));
    }

    @Test
    void recordsThatMovedNoRowMoveTheOffsets() throws InterruptedException {
        poison.add(6L);
        SinkPipeline pipeline = running();

        pipeline.put(List.of(record(0, 5), record(0, 6), record(0, 7, "k", null)));

        until(() -> commit(pipeline, 9).equals(OptionalLong.of(9))); // at 8 a transform dropped one
        assertThat(entry(offsets).nextOffset()).isEqualTo(9);
        assertThat(entry(offsets).lastRecord()).contains(fingerprint(5));
        assertThat(reporter.offsets()).containsExactly(6L);
    }

    @Test
    void commitsNothingAboveTheServersOffsets() throws InterruptedException {
        SinkPipeline pipeline = running();
        offsets.goDown("connection refused");

        assertThat(commit(pipeline, 9)).hasValue(5);

        offsets.comeUp();
        until(() -> commit(pipeline, 9).equals(OptionalLong.of(9)));
        assertThat(entry(offsets).nextOffset()).isEqualTo(9);
    }

    @Test
    void aConsumerThatIsSetBackDoesNotCommitAheadOfAWrite() throws InterruptedException {
        SinkPipeline pipeline = running();
        offsets.goDown("connection refused");
        pipeline.put(records(5, 9));
        pipeline.put(records(6, 8));

        assertThat(commit(pipeline, 8).orElse(0)).isLessThanOrEqualTo(5);

        offsets.comeUp();
        goesBackTo(4, pipeline);
        pipeline.put(records(4, 9));
        until(() -> commit(pipeline, 9).equals(OptionalLong.of(9)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 9));
    }

    /** As with a new password, while the server comes back older. */
    @ParameterizedTest
    @CsvSource({"false, 0", "true, 2"})
    void aTaskThatStartsOverKnowsWhereItBeganAndWhatItWrote(boolean hasEntry, long next) throws InterruptedException {
        MemoryOffsetStore.State nothing = offsets.state();
        SinkPipeline before = startAt(0);
        MemoryOffsetStore.State three = writeFiveAndKeepThree(before);
        before.stop();
        offsets.restore(hasEntry ? three : nothing);

        SinkPipeline pipeline = start();
        pipeline.continues(before);
        pipeline.goBackTo(Map.of(TIDES_0, 5L));
        goesBackTo(next, pipeline);
        pipeline.put(records(next, 6));

        until(() -> commit(pipeline, 6).equals(OptionalLong.of(6)));
        assertThat(offsets.rows(TIDES_0)).isEqualTo(offsets(0, 6));
        assertThat(metric(pipeline, "records-delivered-again-total")).isEqualTo(hasEntry ? 2 : 5);
    }

    /** As with a new password: Connect has read further than Kafka's group, over records that a transform drops. */
    @Test
    void whatWasReadBeforeATaskStartsOverShowsNoLoss() throws InterruptedException {
        writtenUpTo(5);
        SinkPipeline pipeline = start();
        pipeline.goBackTo(Map.of());
        commit(pipeline, 9);
        settle(pipeline);
        goesBackTo(4, pipeline);
        pipeline.put(records(4, 5));
        pipeline.put(records(9, 10));

        until(() -> commit(pipeline, 10).equals(OptionalLong.of(10)));
        assertThat(metric(pipeline, "records-missing-total")).isZero();
        assertThat(metric(pipeline, "records-delivered-again-total")).isZero();
    }
}
