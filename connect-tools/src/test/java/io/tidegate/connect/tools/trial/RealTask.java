package io.tidegate.connect.tools.trial;

import io.tidegate.connect.common.value.RefusedException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Lets a sink's own task write records, and remembers its dead letters. The test thread is the task's. */
final class RealTask implements SinkTaskContext {
    private final Map<String, String> props;
    private final Set<TopicPartition> assigned;
    private final Map<String, RefusedException> letters = new TreeMap<>();

    private RealTask(Map<String, String> props, Set<TopicPartition> assigned) {
        this.props = props;
        this.assigned = assigned;
    }

    /** The dead letters, by place, when all records are written or refused. */
    static Map<String, RefusedException> write(
            SinkTask task, Map<String, String> props, Collection<SinkRecord> records) {
        Map<TopicPartition, OffsetAndMetadata> ends = records.stream()
                .collect(Collectors.toMap(
                        record -> new TopicPartition(record.originalTopic(), record.originalKafkaPartition()),
                        record -> new OffsetAndMetadata(record.originalKafkaOffset() + 1),
                        (a, b) -> a.offset() > b.offset() ? a : b));
        RealTask context = new RealTask(props, ends.keySet());
        task.initialize(context);
        task.start(props);
        task.open(ends.keySet());
        task.put(records);
        while (!task.preCommit(ends).equals(ends)) {
            task.put(Set.of());
        }
        task.close(ends.keySet());
        task.stop();
        return context.letters;
    }

    @Override
    public ErrantRecordReporter errantRecordReporter() {
        return (record, error) -> {
            letters.put(
                    record.originalTopic() + "-" + record.originalKafkaPartition() + "@" + record.originalKafkaOffset(),
                    (RefusedException) error);
            return CompletableFuture.completedFuture(null);
        };
    }

    @Override
    public Map<String, String> configs() {
        return props;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return assigned;
    }

    @Override
    public void timeout(long timeoutMs) {}

    @Override
    public void pause(TopicPartition... partitions) {}

    @Override
    public void resume(TopicPartition... partitions) {}

    @Override
    public void requestCommit() {}

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void offset(TopicPartition partition, long offset) {
        throw new UnsupportedOperationException();
    }

    /** As on a worker before 4.1. */
    @Override
    public PluginMetrics pluginMetrics() {
        throw new NoSuchMethodError("pluginMetrics");
    }
}
