package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.TopicPartition;

/**
 * A record whose row or document is not what the sink would have written.
 *
 * @param destination the table or index
 * @param topic empty if no record is known
 * @param partition -1 if no record is known
 * @param offset -1 if no record is known
 * @param key of the record, or of the row, as text; empty if there is none
 * @param detail what is wrong, in a few words; never the content of a record
 * @param differences some of the values that differ
 * @param remedy what a repair does about it
 */
record Finding(
        Kind kind,
        String destination,
        String topic,
        int partition,
        long offset,
        String key,
        String detail,
        List<Difference> differences,
        Remedy remedy) {
    /** What is wrong. */
    enum Kind {
        /** The store lacks it. */
        MISSING,
        /** The store has it more than once. */
        DOUBLED,
        /** The store has something else. */
        DIFFERENT,
        /** The store has what no record put there. */
        SURPLUS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Finding {
        requireNonNull(kind, "kind");
        requireNonNull(destination, "destination");
        requireNonNull(topic, "topic");
        requireNonNull(key, "key");
        requireNonNull(detail, "detail");
        differences = List.copyOf(differences);
        requireNonNull(remedy, "remedy");
    }

    /** Something of a whole table or index, which no single record explains. */
    static Finding ofAll(Kind kind, String destination, String detail) {
        return new Finding(
                kind, destination, "", -1, -1, "", detail, List.of(), Remedy.leave("no single record is known"));
    }

    /** The same without the values that differ, where several records may be the one to compare with. */
    Finding withoutDifferences() {
        return new Finding(kind, destination, topic, partition, offset, key, detail, List.of(), remedy);
    }

    /** The same, and a repair leaves it alone. */
    Finding left(String reason) {
        return new Finding(kind, destination, topic, partition, offset, key, detail, differences, Remedy.leave(reason));
    }

    TopicPartition topicPartition() {
        return new TopicPartition(topic, partition);
    }

    /** The record's place in Kafka, or nothing if no record is known. */
    String place() {
        return topic.isEmpty() ? "" : topic + "-" + partition + "@" + offset;
    }
}
