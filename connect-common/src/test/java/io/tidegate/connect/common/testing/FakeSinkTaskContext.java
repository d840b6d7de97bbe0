package io.tidegate.connect.common.testing;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkTaskContext;

/** Connect's side of a task, in memory: what is assigned and paused, and what the task asked for. One thread. */
public final class FakeSinkTaskContext implements SinkTaskContext {
    private final Optional<ErrantRecordReporter> reporter;
    private final Set<TopicPartition> assigned = new LinkedHashSet<>();
    private final Set<TopicPartition> paused = new LinkedHashSet<>();
    private final Set<TopicPartition> remembered = new LinkedHashSet<>();
    private final FakePluginMetrics pluginMetrics = new FakePluginMetrics();
    private boolean olderThanPluginMetrics;
    private final Map<TopicPartition, Long> rewound = new LinkedHashMap<>();
    private Supplier<Map<String, String>> configs = Map::of;
    private long timeout = -1;
    private boolean commitRequested;

    /** Of a worker without a dead letter queue. */
    public FakeSinkTaskContext() {
        this.reporter = Optional.empty();
    }

    public FakeSinkTaskContext(ErrantRecordReporter reporter) {
        this.reporter = Optional.of(reporter);
    }

    /** As Connect does it: what was paused when it was taken away is paused when it comes back at once. */
    public void assign(Collection<TopicPartition> partitions) {
        assigned.addAll(partitions);
        remembered.retainAll(assigned);
        paused.addAll(remembered);
    }

    public void revoke(Collection<TopicPartition> partitions) {
        assigned.removeAll(partitions);
        paused.stream().filter(partitions::contains).forEach(remembered::add);
        paused.removeAll(partitions);
    }

    public Set<TopicPartition> paused() {
        return Set.copyOf(paused);
    }

    /** What the task last asked for, in milliseconds; -1 when it asked for nothing since the last call. */
    public long takeTimeout() {
        long taken = timeout;
        timeout = -1;
        return taken;
    }

    /** Whether the task has asked for a commit since the last call. */
    public boolean takeCommitRequest() {
        boolean taken = commitRequested;
        commitRequested = false;
        return taken;
    }

    /** From where the task asked to be delivered again since the last call, by partition. */
    public Map<TopicPartition, Long> takeRewound() {
        Map<TopicPartition, Long> taken = Map.copyOf(rewound);
        rewound.clear();
        return taken;
    }

    @Override
    public void pause(TopicPartition... partitions) {
        requireAssigned(partitions);
        paused.addAll(List.of(partitions));
    }

    @Override
    public void resume(TopicPartition... partitions) {
        requireAssigned(partitions);
        List.of(partitions).forEach(paused::remove);
        List.of(partitions).forEach(remembered::remove);
    }

    private void requireAssigned(TopicPartition... partitions) {
        if (!assigned.containsAll(List.of(partitions))) {
            throw new IllegalStateException(Arrays.toString(partitions) + " of which some are not in " + assigned);
        }
    }

    @Override
    public void timeout(long timeoutMs) {
        timeout = timeoutMs;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return Set.copyOf(assigned);
    }

    @Override
    public ErrantRecordReporter errantRecordReporter() {
        return reporter.orElse(null);
    }

    @Override
    public Map<String, String> configs() {
        return configs.get();
    }

    /** From now on these are the task's settings; one that is started already has been given others. */
    public void setConfigs(Map<String, String> present) {
        configs = () -> present;
    }

    /** As with a config provider that may give something new at each read. */
    public void setConfigs(Supplier<Map<String, String>> provider) {
        configs = provider;
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {
        requireAssigned(offsets.keySet().toArray(TopicPartition[]::new));
        rewound.putAll(offsets);
    }

    /** From where the task asked to be delivered again, by partition. */
    public Map<TopicPartition, Long> rewound() {
        return Map.copyOf(rewound);
    }

    @Override
    public void offset(TopicPartition tp, long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requestCommit() {
        commitRequested = true;
    }

    @Override
    public PluginMetrics pluginMetrics() {
        if (olderThanPluginMetrics) {
            throw new NoSuchMethodError("SinkTaskContext.pluginMetrics()");
        }
        return pluginMetrics;
    }

    /** What the task showed through this worker. */
    public FakePluginMetrics shown() {
        return pluginMetrics;
    }

    /** From now on this is the context of a worker before Kafka 4.1. */
    public FakeSinkTaskContext olderThanPluginMetrics() {
        olderThanPluginMetrics = true;
        return this;
    }
}
