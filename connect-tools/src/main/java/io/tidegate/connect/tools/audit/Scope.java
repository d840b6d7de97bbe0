package io.tidegate.connect.tools.audit;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** The partitions that are compared. Immutable. */
record Scope(Map<TopicPartition, Stretch> stretches) {
    /**
     * The offsets of a partition that are compared.
     *
     * @param logStart the lowest offset that Kafka has
     * @param from the first offset that is compared
     * @param to the offset after the last one: everything below it is written, so the connector says
     * @param end the offset after the last record of the partition when the audit began
     * @param isCompacted whether Kafka deletes older records of a key
     */
    record Stretch(long logStart, long from, long to, long end, boolean isCompacted) {
        /** Records that the connector has not written yet. */
        long lag() {
            return Math.max(0, end - to);
        }

        long offsets() {
            return Math.max(0, to - from);
        }

        /** Whether Kafka still has every record from the partition's first one. */
        boolean isComplete() {
            return from == 0 && !isCompacted;
        }
    }

    Scope {
        stretches = Map.copyOf(stretches);
    }

    /** In the order of topic and partition. */
    SortedMap<TopicPartition, Stretch> sorted() {
        SortedMap<TopicPartition, Stretch> sorted = new TreeMap<>((a, b) -> {
            int byTopic = a.topic().compareTo(b.topic());
            return byTopic != 0 ? byTopic : Integer.compare(a.partition(), b.partition());
        });
        sorted.putAll(stretches);
        return sorted;
    }

    Set<String> topics() {
        return stretches.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
    }

    long offsets() {
        return stretches.values().stream().mapToLong(Stretch::offsets).sum();
    }

    long lag() {
        return stretches.values().stream().mapToLong(Stretch::lag).sum();
    }

    /** Whether Kafka still has every record that was ever in these partitions. */
    boolean isComplete() {
        return stretches.values().stream().allMatch(Stretch::isComplete);
    }

    boolean isCompacted(TopicPartition partition) {
        Stretch stretch = stretches.get(partition);
        return stretch != null && stretch.isCompacted();
    }
}
