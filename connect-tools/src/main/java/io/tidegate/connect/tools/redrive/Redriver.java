package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.SinkRun;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.Converted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Takes the letters in order. Some at a time are written by the sink's task; what it refuses, and what the plan leaves, is
 * parked. The group's offset passes them in the transaction that parks. Before the task writes, the group says up to
 * where, so that a run that is cut off leaves at most one such part in doubt. One thread uses it.
 */
final class Redriver implements AutoCloseable {
    private static final int PART = 500;
    private static final long PART_BYTES = 16L << 20;

    private final ConfiguredSink sink;
    private final Plan plan;
    private final LaterRecords later;
    private final Conversion conversion;
    private final GroupMember group;
    private final String parking;
    private final Outcome outcome;
    private final Map<TopicPartition, Position> committed;
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<TopicPartition, Map<Long, ConsumerRecord<byte[], byte[]>>> underWay = new HashMap<>();
    private final List<SinkRecord> part = new ArrayList<>();
    private final List<ProducerRecord<byte[], byte[]>> parked = new ArrayList<>();
    private final boolean isStoredOnce;
    private final TakenLetters taken = new TakenLetters();
    private long letters;
    private long bytes;
    private long refusedByTask;
    private Optional<SinkRun> run = Optional.empty();

    Redriver(
            ConfiguredSink sink,
            Plan plan,
            LaterRecords later,
            Conversion conversion,
            GroupMember group,
            String parking,
            Outcome outcome) {
        this.sink = requireNonNull(sink, "sink");
        this.plan = requireNonNull(plan, "plan");
        this.later = requireNonNull(later, "later");
        this.conversion = requireNonNull(conversion, "conversion");
        this.group = requireNonNull(group, "group");
        this.parking = requireNonNull(parking, "parking");
        this.outcome = requireNonNull(outcome, "outcome");
        this.isStoredOnce = sink.identity().isStoredOnce();
        this.committed = new HashMap<>(plan.positions());
        if (!plan.skipsUnsure()) {
            committed.replaceAll((partition, position) -> Position.at(position.offset())); // they are not written
        }
    }

    /** Takes one letter; writes when there are enough. */
    void add(ConsumerRecord<byte[], byte[]> raw) throws ToolException, InterruptedException {
        Letter letter = Letter.of(raw);
        next.put(letter.partition(), raw.offset() + 1);
        switch (plan.of(letter)) {
            case PASS_OTHERS, PASS_WITHOUT_ORIGIN -> {
                return;
            }
            case PASS_UNSURE -> {
                outcome.unsure();
                taken.add(raw, letter.origin().orElseThrow());
            }
            case PARK_LEFT_OUT, PARK_SPENT, PARK_LETTER -> parked.add(Letters.moved(raw, parking));
            case WRITE -> {
                if (later.has(raw)) {
                    outcome.superseded();
                } else if (!isStoredOnce && !taken.add(raw, letter.origin().orElseThrow())) {
                    outcome.repeated();
                } else {
                    convert(raw, letter);
                }
            }
        }
        letters++;
        bytes += Math.max(0, raw.serializedKeySize()) + Math.max(0, raw.serializedValueSize());
        if (letters >= PART || bytes >= PART_BYTES) {
            flush();
        }
    }

    private void convert(ConsumerRecord<byte[], byte[]> raw, Letter letter) throws ToolException {
        Converted converted =
                conversion.convert(Letters.original(raw, letter.origin().orElseThrow()));
        if (converted instanceof Converted.Delivered delivered) {
            part.add(SinkRun.letter(delivered.record(), letter.partition(), raw.offset()));
            underWay.computeIfAbsent(letter.partition(), unused -> new HashMap<>())
                    .put(raw.offset(), raw);
        } else if (converted instanceof Converted.Failed failed) {
            String stage = failed.stage().name();
            refuse(raw, stage, stage.toLowerCase(Locale.ROOT), failed.error());
        } else {
            outcome.dropped();
        }
    }

    /** All letters before this offset were given. */
    void passed(TopicPartition partition, long end) {
        next.merge(partition, end, Math::max);
    }

    /** Writes and parks what was taken, and stores how far the group is. */
    void flush() throws ToolException, InterruptedException {
        if (!part.isEmpty()) {
            start(); // what fails here has written nothing, so no letter is in doubt
            Map<TopicPartition, Position> writing = new HashMap<>();
            underWay.keySet()
                    .forEach(partition -> writing.put(
                            partition,
                            requireNonNull(committed.get(partition)).unsureTo(requireNonNull(next.get(partition)))));
            group.commit(List.of(), writing);
            write();
        }
        next.forEach((partition, end) -> committed.computeIfPresent(
                partition, (same, position) -> Position.at(end).unsureTo(position.unsureTo())));
        group.commit(parked, committed);
        outcome.parked(parked.size());
        part.clear();
        underWay.clear();
        parked.clear();
        letters = 0;
        bytes = 0;
    }

    private void start() throws ToolException {
        if (run.isEmpty()) {
            forgetOffsets();
            run = Optional.of(SinkRun.start(sink, plan.positions().keySet(), this::refused));
        }
    }

    private void write() throws ToolException, InterruptedException {
        SinkRun task = run.orElseThrow();
        Map<String, Long> before = task.counts();
        refusedByTask = 0;
        task.write(part);
        Map<String, Long> more = new HashMap<>();
        task.counts().forEach((name, count) -> more.put(name, count - before.getOrDefault(name, 0L)));
        outcome.accepted(part.size() - refusedByTask);
        outcome.kept(more.getOrDefault("records-kept-total", 0L));
        outcome.skipped(more.getOrDefault("records-skipped-total", 0L));
    }

    private void refused(SinkRecord record, Throwable reason) {
        ConsumerRecord<byte[], byte[]> letter = underWay.get(
                        new TopicPartition(record.originalTopic(), record.originalKafkaPartition()))
                .remove(record.originalKafkaOffset());
        if (letter == null) {
            return; // the task was given it again, and has refused it before
        }
        String kind = reason instanceof RefusedException refusal
                ? String.valueOf(refusal.facts().get(RefusedException.KIND))
                : "unknown";
        refusedByTask++;
        refuse(letter, "TASK_PUT", kind, reason);
    }

    private void refuse(ConsumerRecord<byte[], byte[]> letter, String stage, String kind, Throwable reason) {
        parked.add(Letters.refused(letter, parking, sink.name(), stage, reason));
        outcome.refused(kind, String.valueOf(reason.getMessage()));
    }

    /** The group's offsets count. Those that the sink keeps with exactly once must not pass over a letter. */
    private void forgetOffsets() throws ToolException {
        Map<TopicPartition, Long> none = new HashMap<>();
        plan.positions().keySet().forEach(partition -> none.put(partition, null));
        try {
            sink.connector().alterOffsets(sink.props(), none);
        } catch (ConnectException e) {
            throw new ToolException("the sink's own offsets could not be removed: " + e.getMessage(), e);
        }
    }

    /**
     * Ends the task when all letters are done.
     *
     * @throws ToolException if the server does not forget the sink's own offsets
     */
    void end() throws ToolException {
        boolean hasWritten = run.isPresent();
        close();
        if (hasWritten) {
            forgetOffsets();
        }
    }

    /** Cancels what is under way. */
    @Override
    public void close() {
        run.ifPresent(SinkRun::close);
        run = Optional.empty();
    }
}
