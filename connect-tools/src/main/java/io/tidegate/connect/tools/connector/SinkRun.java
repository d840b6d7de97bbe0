package io.tidegate.connect.tools.connector;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.common.task.DocumentSinkTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.MetricValueProvider;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * The sink's own task, without a worker: it is given records, may ask for earlier ones again, and says which offsets are
 * written. One thread uses it, which is the task's thread.
 */
public final class SinkRun implements AutoCloseable {
    /** Longer than a task waits for a schema that its registry does not have. */
    private static final Duration GRACE = Duration.ofSeconds(15);

    /** Between two calls of a task that does not say when it wants the next. */
    private static final long POLL_MS = 20;

    private final SinkTask task;
    private final Set<TopicPartition> partitions;
    private final Context context;
    private final Duration patience;
    private Instant failingSince = Instant.MAX;

    /** What happens to a record that is refused. When it returns, that is durable. */
    @FunctionalInterface
    public interface Refusals {
        void refused(SinkRecord record, Throwable reason) throws ToolException, InterruptedException;
    }

    private SinkRun(SinkTask task, Set<TopicPartition> partitions, Context context, Duration patience) {
        this.task = requireNonNull(task, "task");
        this.partitions = Set.copyOf(partitions);
        this.context = requireNonNull(context, "context");
        this.patience = requireNonNull(patience, "patience");
    }

    /**
     * The record as a dead letter: what a task with {@code redrive=true} writes under its original coordinates, and never
     * over newer data.
     *
     * @param record after converters and transforms
     * @param letter where the task shall believe that it read the letter
     */
    public static SinkRecord letter(SinkRecord record, TopicPartition letter, long offset) {
        return new SinkRecord(
                record.topic(),
                record.kafkaPartition(),
                record.keySchema(),
                record.key(),
                record.valueSchema(),
                record.value(),
                offset,
                record.timestamp(),
                record.timestampType(),
                new ConnectHeaders(record.headers())
                        .addString(LetterHeaders.TOPIC, record.originalTopic())
                        .addInt(LetterHeaders.PARTITION, record.originalKafkaPartition())
                        .addLong(LetterHeaders.OFFSET, record.originalKafkaOffset()),
                letter.topic(),
                letter.partition(),
                offset);
    }

    /** Starts the task. Its server is contacted with the first records. */
    public static SinkRun start(ConfiguredSink sink, Set<TopicPartition> partitions, Refusals refusals)
            throws ToolException {
        Context context = new Context(sink.props(), partitions, refusals);
        SinkTask task;
        try {
            task = (SinkTask)
                    sink.connector().taskClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        task.initialize(context);
        try {
            task.start(sink.props());
            SinkRun run = new SinkRun(task, partitions, context, sink.patience());
            task.open(partitions);
            return run;
        } catch (ConnectException e) {
            task.stop();
            throw new ToolException("the sink does not start: " + e.getMessage(), e);
        }
    }

    /**
     * Writes these records and returns when each is written or refused.
     *
     * @param records in the order of their offsets in each partition
     */
    public void write(List<SinkRecord> records) throws ToolException, InterruptedException {
        Map<TopicPartition, List<SinkRecord>> all = new LinkedHashMap<>();
        records.forEach(record -> all.computeIfAbsent(partitionOf(record), unused -> new ArrayList<>())
                .add(record));
        Map<TopicPartition, Integer> next = new HashMap<>();
        all.keySet().forEach(partition -> next.put(partition, 0));
        try {
            while (!isWritten(all, next)) {
                throwIfInterrupted();
                put(all, next);
            }
        } catch (ConnectException e) {
            context.throwFailure();
            Interruption.unwrap(e);
            throw new ToolException("the sink has stopped: " + e.getMessage(), e);
        }
    }

    private void put(Map<TopicPartition, List<SinkRecord>> all, Map<TopicPartition, Integer> next)
            throws ToolException, InterruptedException {
        List<SinkRecord> batch = deliverable(all, next);
        context.timeoutMs = POLL_MS;
        task.put(batch);
        giveUpLate();
        context.throwFailure();
        batch.forEach(record -> next.merge(partitionOf(record), 1, Integer::sum));
        goBack(all, next);
        if (batch.isEmpty() && deliverable(all, next).isEmpty()) { // the task may have resumed a partition
            pause();
        }
    }

    private List<SinkRecord> deliverable(Map<TopicPartition, List<SinkRecord>> all, Map<TopicPartition, Integer> next) {
        List<SinkRecord> records = new ArrayList<>();
        all.forEach((partition, ofPartition) -> {
            if (!context.paused.contains(partition)) {
                records.addAll(ofPartition.subList(next.get(partition), ofPartition.size()));
            }
        });
        return records;
    }

    /** A task waits without end for the schemas of records. */
    private void giveUpLate() throws ToolException {
        Optional<RetriableException> reason =
                task instanceof DocumentSinkTask ours ? ours.unprepared() : Optional.empty();
        if (reason.isEmpty()) {
            failingSince = Instant.MAX;
            return;
        }
        Instant now = Instant.now();
        failingSince = failingSince.isBefore(now) ? failingSince : now;
        Duration least = patience.compareTo(GRACE) < 0 ? GRACE : patience;
        if (!patience.isZero() && failingSince.plus(least).isBefore(now)) {
            throw new ToolException("the sink takes no records: " + reason.get().getMessage(), reason.get());
        }
    }

    /**
     * As a worker's poll without records, for as long as the task has asked for. A task signals nothing to a worker, so
     * there is nothing else to wait for. While it writes, {@code preCommit} waits for that.
     */
    private void pause() throws InterruptedException {
        Thread.sleep(context.timeoutMs);
    }

    /** As Connect's consumer, which goes back before the next delivery. */
    private void goBack(Map<TopicPartition, List<SinkRecord>> all, Map<TopicPartition, Integer> next) {
        context.rewound.forEach((partition, offset) -> {
            List<SinkRecord> records = all.getOrDefault(partition, List.of());
            int first = 0;
            while (first < records.size() && records.get(first).originalKafkaOffset() < offset) {
                first++;
            }
            int from = first;
            next.computeIfPresent(partition, (same, delivered) -> from);
        });
        context.rewound.clear();
    }

    private boolean isWritten(Map<TopicPartition, List<SinkRecord>> all, Map<TopicPartition, Integer> next)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> delivered = new HashMap<>();
        all.forEach((partition, records) -> {
            if (next.get(partition) > 0) {
                delivered.put(
                        partition,
                        new OffsetAndMetadata(
                                records.get(next.get(partition) - 1).originalKafkaOffset() + 1));
            }
        });
        Map<TopicPartition, OffsetAndMetadata> written = task.preCommit(delivered);
        context.throwFailure();
        return context.rewound.isEmpty()
                && all.entrySet().stream().allMatch(partition -> {
                    List<SinkRecord> records = partition.getValue();
                    OffsetAndMetadata offset = written.get(partition.getKey());
                    return next.get(partition.getKey()) == records.size()
                            && offset != null
                            && offset.offset() > records.get(records.size() - 1).originalKafkaOffset();
                });
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private static TopicPartition partitionOf(SinkRecord record) {
        return new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
    }

    /** The task's counts, by name. */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new HashMap<>();
        context.gauges.forEach((name, gauge) -> {
            if (name.endsWith("-total")) {
                counts.put(name, ((Number) gauge.value(new MetricConfig(), 0)).longValue());
            }
        });
        return counts;
    }

    /** Cancels what is under way. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // or nothing would be waited for
        task.close(partitions);
        task.stop();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The worker's side of the task. */
    private static final class Context implements SinkTaskContext, PluginMetrics {
        private final Map<String, String> configs;
        private final Set<TopicPartition> assigned;
        private final Refusals refusals;
        private final Set<TopicPartition> paused = new HashSet<>();
        private final Map<TopicPartition, Long> rewound = new HashMap<>();
        private final Map<String, Gauge<?>> gauges = new HashMap<>();
        private Exception failure;
        private long timeoutMs = POLL_MS;

        Context(Map<String, String> configs, Set<TopicPartition> assigned, Refusals refusals) {
            this.configs = Map.copyOf(configs);
            this.assigned = Set.copyOf(assigned);
            this.refusals = requireNonNull(refusals, "refusals");
        }

        /** What a report has failed with, which the task cannot throw. */
        void throwFailure() throws ToolException, InterruptedException {
            if (failure instanceof ToolException e) {
                throw e;
            }
            if (failure instanceof InterruptedException e) {
                throw e;
            }
        }

        @Override
        public ErrantRecordReporter errantRecordReporter() {
            return this::report;
        }

        private Future<Void> report(SinkRecord record, Throwable reason) {
            try {
                refusals.refused(record, reason);
                return CompletableFuture.completedFuture(null);
            } catch (ToolException | InterruptedException e) {
                failure = e;
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public Map<String, String> configs() {
            return configs;
        }

        @Override
        public void offset(Map<TopicPartition, Long> offsets) {
            rewound.putAll(offsets);
        }

        @Override
        public void offset(TopicPartition partition, long offset) {
            rewound.put(partition, offset);
        }

        @Override
        public void timeout(long timeoutMs) {
            this.timeoutMs = timeoutMs;
        }

        @Override
        public Set<TopicPartition> assignment() {
            return assigned;
        }

        @Override
        public void pause(TopicPartition... partitions) {
            paused.addAll(List.of(partitions));
        }

        @Override
        public void resume(TopicPartition... partitions) {
            paused.removeAll(List.of(partitions));
        }

        @Override
        public void requestCommit() {
            // It is asked after every delivery.
        }

        @Override
        public PluginMetrics pluginMetrics() {
            return this;
        }

        @Override
        @SuppressWarnings("NonApiType") // Kafka's own signature
        public MetricName metricName(String name, String description, LinkedHashMap<String, String> tags) {
            return new MetricName(name, "plugins", description, tags);
        }

        @Override
        public void addMetric(MetricName metricName, MetricValueProvider<?> provider) {
            if (provider instanceof Gauge<?> gauge) {
                gauges.put(metricName.name(), gauge);
            }
        }

        @Override
        public void removeMetric(MetricName metricName) {
            gauges.remove(metricName.name());
        }

        @Override
        public Sensor addSensor(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void removeSensor(String name) {
            // There is none.
        }
    }
}
