package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.Converted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Writes letters with the sink's task, some at a time. Before that the ledger says that they are under way, and after it
 * which of them are done. So a run that is cut off leaves at most one such part in doubt. With exactly once the sink's
 * own offsets settle that part; they are forgotten when nothing is in doubt. One thread uses it.
 */
final class Redriver implements AutoCloseable {
    private static final int PART = 500;
    private static final String FAILURES = "documents-";
    private static final String TOTAL = "-total";

    private final ConfiguredSink sink;
    private final Set<TopicPartition> partitions;
    private final Conversion conversion;
    private final Group group;
    private final Ledger ledger;
    private final Optional<Parking> parking;
    private final Outcome outcome;
    private final List<ConsumerRecord<byte[], byte[]>> part = new ArrayList<>();
    private final Map<TopicPartition, Map<Long, ConsumerRecord<byte[], byte[]>>> underWay = new HashMap<>();
    private final Set<ConsumerRecord<byte[], byte[]>> refused = new HashSet<>();
    private Optional<SinkRun> run = Optional.empty();

    Redriver(
            ConfiguredSink sink,
            Set<TopicPartition> partitions,
            Conversion conversion,
            Group group,
            Ledger ledger,
            Optional<Parking> parking,
            Outcome outcome) {
        this.sink = requireNonNull(sink, "sink");
        this.partitions = Set.copyOf(partitions);
        this.conversion = requireNonNull(conversion, "conversion");
        this.group = requireNonNull(group, "group");
        this.ledger = requireNonNull(ledger, "ledger");
        this.parking = requireNonNull(parking, "parking");
        this.outcome = requireNonNull(outcome, "outcome");
    }

    /** Whether the sink's own offsets tell what is written. */
    static boolean keepsOffsets(ConfiguredSink sink) {
        return "exactly_once".equalsIgnoreCase(sink.settings().get("delivery.guarantee"));
    }

    /** Whether a record that is written twice is stored once: by its key or its id, or by the sink's own offsets. */
    static boolean isRepeatable(ConfiguredSink sink) {
        Map<String, String> settings = sink.settings();
        boolean isKeyed = sink.type().config().names().contains("pk.mode")
                ? !settings.getOrDefault("pk.mode", "none").equalsIgnoreCase("none")
                : !settings.getOrDefault("document.id", "auto").equalsIgnoreCase("none");
        return isKeyed || keepsOffsets(sink);
    }

    /** A letter that needs not be written, because a later record has its key. */
    void supersede(ConsumerRecord<byte[], byte[]> letter) {
        ledger.done(partitionOf(letter), letter.offset());
        outcome.superseded();
    }

    /** Takes one letter; writes when there are enough. */
    void add(ConsumerRecord<byte[], byte[]> letter) throws ToolException, InterruptedException {
        part.add(letter);
        if (part.size() == PART) {
            flush();
        }
    }

    /** Writes what was taken. */
    void flush() throws ToolException, InterruptedException {
        part.forEach(letter -> ledger.begin(partitionOf(letter), letter.offset()));
        group.store(ledger.stored());
        refused.clear();
        underWay.clear();
        List<SinkRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> letter : part) {
            underWay.computeIfAbsent(partitionOf(letter), unused -> new HashMap<>())
                    .put(letter.offset(), letter);
            convert(letter).ifPresent(records::add);
        }
        if (!records.isEmpty()) {
            write(records);
        }
        for (ConsumerRecord<byte[], byte[]> letter : part) {
            if (!refused.contains(letter)) {
                ledger.done(partitionOf(letter), letter.offset());
            }
        }
        part.clear();
        group.store(ledger.stored());
    }

    private Optional<SinkRecord> convert(ConsumerRecord<byte[], byte[]> letter)
            throws ToolException, InterruptedException {
        Letter.Origin origin = Letter.of(letter).origin().orElseThrow();
        Converted converted = conversion.convert(Letters.original(letter, origin));
        if (converted instanceof Converted.Delivered delivered) {
            return Optional.of(Letters.delivered(delivered.record(), letter));
        }
        if (converted instanceof Converted.Failed failed) {
            String stage = failed.stage().name();
            refuse(letter, stage, stage.toLowerCase(Locale.ROOT), failed.error());
        } else {
            outcome.dropped();
        }
        return Optional.empty();
    }

    private void write(List<SinkRecord> records) throws ToolException, InterruptedException {
        if (run.isEmpty()) {
            run = Optional.of(SinkRun.start(sink, partitions, this::refused));
        }
        Map<String, Long> before = run.get().counts();
        Map<String, Long> refusedBefore = outcome.refusedByKind();
        run.get().write(records);
        Map<String, Long> more = new HashMap<>();
        run.get().counts().forEach((name, count) -> more.put(name, count - before.getOrDefault(name, 0L)));
        Map<String, Long> refusedNow = outcome.refusedByKind();
        refusedBefore.forEach((kind, count) -> refusedNow.merge(kind, -count, Long::sum));
        outcome.accepted(records.size()
                - refusedNow.values().stream().mapToLong(Long::longValue).sum());
        outcome.kept(more.getOrDefault("records-kept-total", 0L) + skipped(more, refusedNow, "stale"));
        outcome.skipped(more.getOrDefault("records-passed-over-total", 0L)
                + more.keySet().stream()
                        .map(Redriver::kindOf)
                        .flatMap(Optional::stream)
                        .filter(kind -> !kind.equals("stale"))
                        .mapToLong(kind -> skipped(more, refusedNow, kind))
                        .sum());
    }

    /** The kind of failure that a metric of the Elasticsearch sink counts. */
    private static Optional<String> kindOf(String metric) {
        return metric.startsWith(FAILURES) && metric.endsWith(TOTAL)
                ? Optional.of(metric.substring(FAILURES.length(), metric.length() - TOTAL.length())
                        .replace('-', '_'))
                : Optional.empty();
    }

    /** How many documents a policy has skipped: those that failed and were not refused. */
    private static long skipped(Map<String, Long> counts, Map<String, Long> refused, String kind) {
        long failed = counts.getOrDefault(FAILURES + kind.replace('_', '-') + TOTAL, 0L);
        return Math.max(0, failed - refused.getOrDefault(kind, 0L));
    }

    private void refused(SinkRecord record, Throwable reason) throws ToolException, InterruptedException {
        ConsumerRecord<byte[], byte[]> letter = underWay.get(
                        new TopicPartition(record.originalTopic(), record.originalKafkaPartition()))
                .get(record.originalKafkaOffset());
        String kind = reason instanceof RefusedException refusal
                ? String.valueOf(refusal.facts().get(RefusedException.KIND))
                : "unknown";
        refuse(letter, "TASK_PUT", kind, reason);
        if (keepsOffsets(sink)) {
            group.store(ledger.stored()); // before the sink's own offsets pass it
        }
    }

    private void refuse(ConsumerRecord<byte[], byte[]> letter, String stage, String kind, Throwable reason)
            throws ToolException, InterruptedException {
        refused.add(letter);
        if (parking.isPresent()) {
            parking.get().park(letter, stage, reason);
            ledger.done(partitionOf(letter), letter.offset());
        } else {
            ledger.stays(partitionOf(letter), letter.offset());
        }
        outcome.refused(kind, String.valueOf(reason.getMessage()), parking.isPresent());
    }

    /**
     * Ends the task, and has the sink forget its own offsets. Call it when nothing is in doubt.
     *
     * @throws ToolException if the server does not forget
     */
    void settle() throws ToolException {
        close();
        if (keepsOffsets(sink)) {
            Map<TopicPartition, Long> none = new HashMap<>();
            partitions.forEach(partition -> none.put(partition, null));
            try {
                sink.connector().alterOffsets(sink.props(), none);
            } catch (ConnectException e) {
                throw new ToolException("the sink's own offsets could not be removed: " + e.getMessage(), e);
            }
        }
    }

    private static TopicPartition partitionOf(ConsumerRecord<byte[], byte[]> letter) {
        return new TopicPartition(letter.topic(), letter.partition());
    }

    /** Cancels what is under way. */
    @Override
    public void close() {
        run.ifPresent(SinkRun::close);
        run = Optional.empty();
    }
}
