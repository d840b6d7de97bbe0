package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** A task of the sink without a worker around it, that owns one partition. The test thread is its task thread. */
public final class StartedTask implements AutoCloseable {
    private static final TopicPartition PARTITION = new TopicPartition("readings", 0);

    private final JsonbSinkTask task = new JsonbSinkTask();
    private long offset;

    public StartedTask(Map<String, String> props) {
        task.initialize(new Context(props));
        task.start(props);
        task.open(Set.of(PARTITION));
    }

    /** Hands over one record. */
    public void put(String json) {
        task.put(List.of(new SinkRecord(PARTITION.topic(), 0, null, null, null, json.getBytes(UTF_8), offset++)));
    }

    /** Hands over records at once: with these keys, values and headers. */
    public void put(Collection<SinkRecord> records) {
        task.put(records.stream()
                .map(record -> new SinkRecord(
                        PARTITION.topic(),
                        0,
                        null,
                        record.key(),
                        null,
                        record.value(),
                        offset++,
                        record.timestamp(),
                        TimestampType.CREATE_TIME,
                        record.headers()))
                .toList());
    }

    /** What Connect does again and again; throws what made the task fail. */
    public void poll() {
        task.put(List.of());
    }

    /** Whether everything has been written; waits for it as a commit does. */
    public boolean isWritten() {
        return task.preCommit(Map.of(PARTITION, new OffsetAndMetadata(offset)))
                        .get(PARTITION)
                        .offset()
                == offset;
    }

    @Override
    public void close() {
        task.close(Set.of(PARTITION));
        task.stop();
    }

    private record Context(Map<String, String> configs) implements SinkTaskContext {
        @Override
        public void offset(Map<TopicPartition, Long> offsets) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void offset(TopicPartition partition, long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void timeout(long timeoutMs) {}

        @Override
        public Set<TopicPartition> assignment() {
            return Set.of(PARTITION);
        }

        @Override
        public void pause(TopicPartition... partitions) {}

        @Override
        public void resume(TopicPartition... partitions) {}

        @Override
        public void requestCommit() {}

        /** As on a worker before 4.1. */
        @Override
        public PluginMetrics pluginMetrics() {
            throw new NoSuchMethodError("pluginMetrics");
        }
    }
}
