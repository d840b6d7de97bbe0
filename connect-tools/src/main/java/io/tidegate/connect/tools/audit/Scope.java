package io.tidegate.connect.tools.audit;

import io.tidegate.connect.tools.records.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that are compared. Immutable.
 *
 * @param isPart whether the user has left out partitions
 * @param isOneKey whether the user has left out the records of all other keys
 */
record Scope(Map<TopicPartition, Stretch> stretches, boolean isPart, boolean isOneKey) {
    private static final int MOST_PARTS = 20;

    static final Scope NOTHING = new Scope(Map.of(), false, false);

    /** Why a missing row or document is not written, if a record of its key cannot be read. */
    static final String UNREAD = "a record that cannot be read here may be the newest of its key";

    /** Why a missing row or document is not written, if the user has left out partitions. */
    static final String PART = "a partition that was left out may have the newest record of its key";

    /** Why a missing row or document is not written. */
    static final String DELETED_ELSEWHERE =
            "a newer deletion of its key may have been in another partition, of which Kafka does not have all records";

    /** Why a missing row or document is not written, if a value of the record decides which one is the newest. */
    static final String VALUES_UNREAD =
            "a record of its key that was not read may have a higher value, although it is older";

    /**
     * The offsets of a partition that are compared.
     *
     * @param logStart the lowest offset that Kafka has
     * @param from the first offset that is compared
     * @param to the offset after the last one: everything below it is written, so the connector says
     * @param end the offset after the last record that the user wants, or of the partition when the audit began
     * @param isCompacted whether Kafka deletes older records of a key
     * @param isFollowed whether the next part of the audit goes on at the end
     */
    record Stretch(long logStart, long from, long to, long end, boolean isCompacted, boolean isFollowed) {
        Stretch(long logStart, long from, long to, long end, boolean isCompacted) {
            this(logStart, from, to, end, isCompacted, false);
        }

        /** Records that the connector has not written yet. */
        long lag() {
            return Math.max(0, end - to);
        }

        long offsets() {
            return Math.max(0, to - from);
        }

        OffsetRange compared() {
            return new OffsetRange(from, to);
        }

        /** Whether Kafka still has every record from the partition's first one. */
        boolean isComplete() {
            return from == 0 && !isCompacted;
        }
    }

    Scope {
        stretches = Map.copyOf(stretches);
    }

    /**
     * The same in parts, which are compared one after the other: each has offsets of one partition.
     *
     * @param least offsets that a part has, but for the last one of a partition; parts grow so that there are about 20
     */
    List<Scope> parts(long least) {
        long size = Math.max(least, offsets() / MOST_PARTS);
        List<Scope> parts = new ArrayList<>();
        sorted().forEach((partition, all) -> {
            for (long from = all.from(); from < all.to(); from += size) {
                long to = Math.min(all.to(), from + size);
                Stretch part = new Stretch(all.logStart(), from, to, all.end(), all.isCompacted(), to < all.to());
                parts.add(new Scope(Map.of(partition, part), true, isOneKey));
            }
        });
        return parts;
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
        return !isPart && stretches.values().stream().allMatch(Stretch::isComplete);
    }

    /** Whether rows and documents that no record explains can be looked for. */
    boolean isWhole() {
        return !isPart && !isOneKey;
    }

    /** Whether no key can have had records in another partition that are not read. */
    boolean isOrderKnown() {
        return isComplete() || (!isPart && stretches.size() == 1);
    }

    boolean isCompacted(TopicPartition partition) {
        Stretch stretch = stretches.get(partition);
        return stretch != null && stretch.isCompacted();
    }
}
