package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.cli.ToolException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the consumer groups that write letters are in a topic of letters: redrives and sink connectors. Others, such as
 * one that raises an alarm, are not asked. One thread uses it.
 */
public final class LetterReaders {
    /** The beginning of a sink connector's group. Source: {@code SinkUtils.consumerGroupId} of Connect. */
    private static final String OF_CONNECTORS = "connect-";

    private final Map<TopicPartition, Long> redriven = new HashMap<>();
    private final Map<String, Map<TopicPartition, Long>> connectors = new TreeMap<>();
    private final Set<String> unknown = new TreeSet<>();

    LetterReaders() {}

    /** Asks Kafka. */
    public static LetterReaders of(
            Map<String, Object> admin, String connector, String topic, Collection<TopicPartition> partitions)
            throws ToolException, InterruptedException {
        try (GroupOffsets group = GroupOffsets.open(admin, RedriveCommand.GROUP_PREFIX + connector, connector)) {
            return group.readers(topic, partitions);
        }
    }

    static boolean writes(String group) {
        return group.startsWith(OF_CONNECTORS) || group.startsWith(RedriveCommand.GROUP_PREFIX);
    }

    /** @param mark of the topic that exists now, and of the connector whose letters count */
    void add(String group, TopicPartition partition, OffsetAndMetadata committed, String mark) {
        if (group.startsWith(OF_CONNECTORS)) {
            connectors.computeIfAbsent(group, name -> new HashMap<>()).put(partition, committed.offset());
        } else {
            redriven.merge(partition, Position.lastEnd(committed, mark), Math::max);
        }
    }

    /** @param groups whose offsets this user may not see */
    void addUnknown(String groups) {
        unknown.add(groups);
    }

    /** Whether a redrive of the connector's letters has written this letter or was cut off at it, or may have. */
    public boolean isDoubtful(ConsumerRecord<?, ?> letter) {
        boolean isAnyRedriveUnknown = unknown.stream().anyMatch(group -> !group.startsWith(OF_CONNECTORS));
        return isAnyRedriveUnknown
                || letter.offset() < redriven.getOrDefault(new TopicPartition(letter.topic(), letter.partition()), 0L);
    }

    /** The groups of connectors that have read this letter, and perhaps written its record. */
    public Set<String> connectors(ConsumerRecord<?, ?> letter) {
        TopicPartition partition = new TopicPartition(letter.topic(), letter.partition());
        Set<String> groups = new TreeSet<>();
        connectors.forEach((group, ends) -> {
            if (letter.offset() < ends.getOrDefault(partition, 0L)) {
                groups.add(group);
            }
        });
        return groups;
    }

    /** The groups whose offsets this user may not see. */
    public Set<String> unknown() {
        return Set.copyOf(unknown);
    }
}
