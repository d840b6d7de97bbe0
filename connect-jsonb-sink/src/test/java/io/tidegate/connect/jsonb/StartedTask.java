package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** A task of the sink without a worker around it, that owns one partition. The test thread is its task thread. */
public final class StartedTask implements AutoCloseable {
    private static final TopicPartition PARTITION = new TopicPartition("readings", 0);

    private final JsonbSinkTask task = new JsonbSinkTask();
    private final List<SinkRecord> log = new ArrayList<>(); // of the partition, from offset 0
    private final List<String> refused = new ArrayList<>();
    private int position;
    private boolean isPaused;

    public StartedTask(Map<String, String> props) {
        task.initialize(new Context(props));
        task.start(props);
        task.open(Set.of(PARTITION));
    }

    /** Hands over one record. */
    public void put(String json) {
        log.add(new SinkRecord(PARTITION.topic(), 0, null, null, null, json.getBytes(UTF_8), log.size()));
        poll();
    }

    /** Hands over records at once: with these keys, values and headers. */
    public void put(Collection<SinkRecord> records) {
        for (SinkRecord record : records) {
            log.add(new SinkRecord(
                    PARTITION.topic(),
                    0,
                    null,
                    record.key(),
                    null,
                    record.value(),
                    log.size(),
                    record.timestamp(),
                    TimestampType.CREATE_TIME,
                    record.headers()));
        }
        poll();
    }

    /** What Connect does again and again; throws what made the task fail. */
    public void poll() {
        List<SinkRecord> polled = isPaused ? List.of() : List.copyOf(log.subList(position, log.size()));
        position += polled.size();
        task.put(polled);
    }

    /** Why records were refused, with {@code errors.tolerance=all}. */
    public List<String> refused() {
        return List.copyOf(refused);
    }

    /** Whether everything has been written; waits for it as a commit does. */
    public boolean isWritten() {
        OffsetAndMetadata written = task.preCommit(Map.of(PARTITION, new OffsetAndMetadata(position)))
                .get(PARTITION);
        return written != null
                && written.offset() == log.size(); // absent until an exactly-once task owns the partition
    }

    @Override
    public void close() {
        task.close(Set.of(PARTITION));
        task.stop();
    }

    private final class Context implements SinkTaskContext {
        private final Map<String, String> configs;

        Context(Map<String, String> configs) {
            this.configs = configs;
        }

        @Override
        public Map<String, String> configs() {
            return configs;
        }

        /** The next poll begins there. */
        @Override
        public void offset(Map<TopicPartition, Long> offsets) {
            offsets.forEach(this::offset);
        }

        @Override
        public void offset(TopicPartition partition, long offset) {
            position = (int) offset;
        }

        @Override
        public void timeout(long timeoutMs) {}

        @Override
        public Set<TopicPartition> assignment() {
            return Set.of(PARTITION);
        }

        @Override
        public void pause(TopicPartition... partitions) {
            isPaused = true;
        }

        @Override
        public void resume(TopicPartition... partitions) {
            isPaused = false;
        }

        @Override
        public void requestCommit() {}

        @Override
        public ErrantRecordReporter errantRecordReporter() {
            return "all".equals(configs.get("errors.tolerance"))
                    ? (record, error) -> {
                        refused.add(String.valueOf(error.getMessage()));
                        return CompletableFuture.completedFuture(null);
                    }
                    : null;
        }

        /** As on a worker before 4.1. */
        @Override
        public PluginMetrics pluginMetrics() {
            throw new NoSuchMethodError("pluginMetrics");
        }
    }
}
