package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.cli.ToolException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a group is in a partition of a dead letter topic. In Kafka it is a committed offset, whose metadata holds a mark
 * and {@code unsureTo}. The mark is the topic's id and the connector whose letters the group passes.
 *
 * @param offset the first letter that is not done
 * @param unsureTo the end of what a run was writing when it was cut off; {@code offset} if there is no such letter
 */
record Position(long offset, long unsureTo) {
    private static final Pattern METADATA = Pattern.compile("((\\S+) \\S+) (\\d{1,18})");

    static Position at(long offset) {
        return new Position(offset, offset);
    }

    /**
     * Reads a committed offset. One without metadata is of a user, who has set it.
     *
     * @param mark of the topic that exists now, and of the connector
     * @throws ToolException if it is of an earlier topic of this name, of another connector's letters, or of another program
     */
    static Position of(OffsetAndMetadata committed, String mark, TopicPartition partition) throws ToolException {
        if (committed.metadata().isEmpty()) {
            return at(committed.offset());
        }
        Matcher metadata = METADATA.matcher(committed.metadata());
        if (!metadata.matches()) {
            throw new ToolException("the consumer group has offsets of another program: use another --group");
        }
        if (!mark.startsWith(metadata.group(2) + " ")) {
            throw recreated(partition);
        }
        if (!mark.equals(metadata.group(1))) {
            throw new ToolException(
                    "the consumer group's offset of " + partition + " is of another connector's letters and"
                            + " would pass over those of this one: use another --group");
        }
        return new Position(committed.offset(), Math.max(committed.offset(), Long.parseLong(metadata.group(3))));
    }

    /**
     * The end of the letters that a redrive may have written; 0 if it wrote none, or passes those of another connector.
     *
     * @param mark of the topic that exists now, and of the connector
     */
    static long lastEnd(OffsetAndMetadata committed, String mark) {
        Matcher metadata = METADATA.matcher(committed.metadata());
        return metadata.matches() && mark.equals(metadata.group(1))
                ? Math.max(committed.offset(), Long.parseLong(metadata.group(3)))
                : 0;
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

    OffsetAndMetadata committed(String mark) {
        return new OffsetAndMetadata(offset, mark + " " + unsureTo);
    }
}
