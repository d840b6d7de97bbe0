package io.tidegate.connect.tools.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.apache.kafka.connect.storage.Converter;

/** Runs a task of a sink in this JVM, as a worker does: it delivers all partitions and commits what the task allows. */
final class RunningTask implements AutoCloseable, SinkTaskContext {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Map<String, String> config;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final SinkTask task;
    private final Set<TopicPartition> partitions;
    private final Converter keys;
    private final Map<TopicPartition, OffsetAndMetadata> delivered = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed;

    RunningTask(String bootstrapServers, SinkTask task, Map<String, String> config, Set<TopicPartition> partitions)
            throws ReflectiveOperationException {
        this(bootstrapServers, task, config, partitions, false);
    }

    /**
     * Starts a task.
     *
     * @param isMember whether it is a member of its consumer group, as a worker's task is, which takes some time
     */
    RunningTask(
            String bootstrapServers,
            SinkTask task,
            Map<String, String> config,
            Set<TopicPartition> partitions,
            boolean isMember)
            throws ReflectiveOperationException {
        this.config = Map.copyOf(config);
        this.task = task;
        this.partitions = Set.copyOf(partitions);
        this.keys = Utils.newInstance(config.get("key.converter"), Converter.class);
        keys.configure(Map.of("schemas.enable", config.getOrDefault("key.converter.schemas.enable", "true")), true);
        this.consumer = new KafkaConsumer<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                "connect-" + config.get("name"),
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false",
                "max.poll.records",
                "5000",
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class));
        if (isMember) {
            join();
        } else {
            consumer.assign(partitions);
        }
        committed = new HashMap<>(consumer.committed(partitions));
        committed.values().removeIf(Objects::isNull);
        task.initialize(this);
        task.start(config);
        task.open(partitions);
    }

    private void join() {
        consumer.subscribe(
                partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()),
                new ConsumerRebalanceListener() {
                    @Override
                    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
                        consumer.pause(assigned); // nothing is delivered before the task has started
                    }

                    @Override
                    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
                        // It stays the only member.
                    }
                });
        while (!consumer.assignment().containsAll(partitions)) {
            consumer.poll(Duration.ofMillis(20));
        }
        consumer.resume(partitions);
    }

    /** Delivers once and commits. */
    void step() {
        List<SinkRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(20))) {
            delivered.put(new TopicPartition(each.topic(), each.partition()), new OffsetAndMetadata(each.offset() + 1));
            SchemaAndValue key = keys.toConnectData(each.topic(), each.key());
            records.add(new SinkRecord(
                    each.topic(),
                    each.partition(),
                    key.schema(),
                    key.value(),
                    Schema.OPTIONAL_BYTES_SCHEMA,
                    each.value(),
                    each.offset(),
                    each.timestamp(),
                    TimestampType.CREATE_TIME));
        }
        task.put(records);
        Map<TopicPartition, OffsetAndMetadata> safe = task.preCommit(Map.copyOf(delivered));
        if (!committed.entrySet().containsAll(safe.entrySet())) {
            consumer.commitSync(safe);
            committed.putAll(safe);
        }
    }

    /** Delivers and commits until every record that is there now is committed. */
    void catchUp() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long begun = System.nanoTime();
        while (partitions.stream().anyMatch(each -> next(each) < lastOf(each, ends.get(each)))) {
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new IllegalStateException("committed " + committed + " of " + ends + ", delivered " + delivered);
            }
            step();
        }
    }

    private long next(TopicPartition partition) {
        OffsetAndMetadata offset = committed.get(partition);
        return offset == null ? 0 : offset.offset();
    }

    /** The end of a transaction has an offset, but no record. */
    private long lastOf(TopicPartition partition, long end) {
        OffsetAndMetadata offset = delivered.get(partition);
        return offset != null && consumer.position(partition) >= end ? Math.min(end, offset.offset()) : end;
    }

    @Override
    public void close() {
        task.close(partitions);
        task.stop();
        consumer.close();
    }

    @Override
    public Map<String, String> configs() {
        return config;
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {
        offsets.forEach(this::offset);
    }

    @Override
    public void offset(TopicPartition partition, long offset) {
        consumer.seek(partition, offset);
    }

    @Override
    public void timeout(long timeoutMs) {
        // The task is called again at once.
    }

    @Override
    public Set<TopicPartition> assignment() {
        return new HashSet<>(partitions);
    }

    @Override
    public void pause(TopicPartition... paused) {
        consumer.pause(List.of(paused));
    }

    @Override
    public void resume(TopicPartition... resumed) {
        consumer.resume(List.of(resumed));
    }

    /** The task shows its metrics in JMX only. */
    @Override
    public PluginMetrics pluginMetrics() {
        throw new NoSuchMethodError("as of an older worker");
    }

    @Override
    public void requestCommit() {
        // Every step commits.
    }
}
