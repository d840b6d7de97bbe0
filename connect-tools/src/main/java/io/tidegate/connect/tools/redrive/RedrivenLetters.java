package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.records.OffsetRange;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Which dead letters {@code tidegate redrive} has done for a connector, for other commands. */
public final class RedrivenLetters {
    private final Map<TopicPartition, OffsetRange> left;
    private final boolean areUnknown;

    private RedrivenLetters(Map<TopicPartition, OffsetRange> left, boolean areUnknown) {
        this.left = Map.copyOf(left);
        this.areUnknown = areUnknown;
    }

    /** The name of the topic to which a redrive moves what it does not write, unless its user names another. */
    public static String parking(String topic) {
        return topic.endsWith(RedriveCommand.PARKED) ? topic : topic + RedriveCommand.PARKED;
    }

    /**
     * Reads the offsets of the group that a redrive uses by default.
     *
     * @param letters the partitions of the dead letter topic, with the offsets that Kafka has
     */
    public static RedrivenLetters of(
            Map<String, Object> admin, String connector, String topic, Map<TopicPartition, OffsetRange> letters)
            throws ToolException, InterruptedException {
        try (GroupOffsets group = GroupOffsets.open(admin, RedriveCommand.GROUP_PREFIX + connector, connector)) {
            Map<TopicPartition, Position> positions = group.positions(topic, letters, false);
            Map<TopicPartition, OffsetRange> left = new HashMap<>(letters);
            positions.forEach((partition, position) ->
                    left.computeIfPresent(partition, (same, range) -> range.from(position.offset())));
            return new RedrivenLetters(left, !group.hasOffsets());
        }
    }

    /** Whether the default redrive of the connector has neither written this letter nor moved it. */
    public boolean has(ConsumerRecord<?, ?> letter) {
        OffsetRange range = left.get(new TopicPartition(letter.topic(), letter.partition()));
        return range != null && range.from() <= letter.offset();
    }

    /** Whether Kafka has no offset of such a group: there was no redrive, or the group was unused for so long. */
    public boolean areUnknown() {
        return areUnknown;
    }

    /** Where the letters are that are neither written nor moved to the parking topic. */
    public Map<TopicPartition, OffsetRange> left() {
        return left;
    }
}
