package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.cli.ToolException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a group is in a partition of a dead letter topic. In Kafka it is a committed offset, whose metadata holds the
 * topic's id and {@code unsureTo}.
 *
 * @param offset the first letter that is not done
 * @param unsureTo the end of what a run was writing when it was cut off; {@code offset} if there is no such letter
 */
record Position(long offset, long unsureTo) {
    private static final Pattern METADATA = Pattern.compile("(\\S+) (\\d{1,18})");

    static Position at(long offset) {
        return new Position(offset, offset);
    }

    /**
     * Reads a committed offset. One without metadata is of a user, who has set it.
     *
     * @param topicId of the topic that exists now
     * @throws ToolException if it is of an earlier topic of this name, or of another program
     */
    static Position of(OffsetAndMetadata committed, String topicId, TopicPartition partition) throws ToolException {
        if (committed.metadata().isEmpty()) {
            return at(committed.offset());
        }
        Matcher metadata = METADATA.matcher(committed.metadata());
        if (!metadata.matches()) {
            throw new ToolException("the consumer group has offsets of another program: use another --group");
        }
        if (!metadata.group(1).equals(topicId)) {
            throw recreated(partition);
        }
        return new Position(committed.offset(), Math.max(committed.offset(), Long.parseLong(metadata.group(2))));
    }

    static ToolException recreated(TopicPartition partition) {
        return new ToolException(
                "the consumer group's offset of " + partition + " is of an earlier topic of this name: "
                        + "delete the group's offsets of the topic, or use another --group");
    }

    /** The same with this end, if letters before it are not done. */
    Position unsureTo(long end) {
        return new Position(offset, Math.max(offset, end));
    }

    OffsetAndMetadata committed(String topicId) {
        return new OffsetAndMetadata(offset, topicId + " " + unsureTo);
    }
}
