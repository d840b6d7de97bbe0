package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.records.StartPoint;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records the user wants to have compared.
 *
 * @param since the first time; empty for the oldest record
 * @param until the time after the last one; empty for all that the connector has committed
 * @param topics only these; empty for all of the connector
 * @param partitions only these; empty for all
 * @param key only records of rows or documents with this key or id, or with this key as text
 */
record Filter(
        Optional<StartPoint> since,
        Optional<StartPoint> until,
        List<String> topics,
        List<Integer> partitions,
        Optional<String> key) {
    Filter {
        requireNonNull(since, "since");
        requireNonNull(until, "until");
        topics = List.copyOf(topics);
        partitions = List.copyOf(partitions);
        requireNonNull(key, "key");
    }

    /**
     * The user may have misspelt a name.
     *
     * @param all the partitions of the connector
     * @throws ToolException if a topic or partition that the user wants is none of them
     */
    void requireIn(Collection<TopicPartition> all) throws ToolException {
        for (String topic : topics) {
            if (all.stream().noneMatch(partition -> partition.topic().equals(topic))) {
                throw new ToolException("the connector has no topic " + topic);
            }
        }
        for (int partition : partitions) {
            if (all.stream().noneMatch(one -> one.partition() == partition && includes(one))) {
                throw new ToolException("no topic that is compared has a partition " + partition);
            }
        }
    }

    boolean includes(TopicPartition partition) {
        return (topics.isEmpty() || topics.contains(partition.topic()))
                && (partitions.isEmpty() || partitions.contains(partition.partition()));
    }
}
