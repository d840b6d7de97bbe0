package io.tidegate.connect.tools.audit;

import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** The records that the connector sent to its dead letter topic, by their places in Kafka. */
final class DeadLetterTopic {
    private static final String TOPIC = "errors.deadletterqueue.topic.name";

    /** More of them are not read: each is kept in memory. */
    private static final long MOST = 1_000_000;

    private DeadLetterTopic() {}

    /** The places of its records; empty if there is no such topic, or if its records have no headers that say so. */
    static Set<String> places(TopicReader reader, Map<String, String> connector, Findings findings)
            throws ToolException, InterruptedException {
        Set<String> places = new HashSet<>();
        String topic = connector.getOrDefault(TOPIC, "");
        if (topic.isEmpty() || !reader.exists(topic)) {
            return places;
        }
        Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
        if (ranges.values().stream().mapToLong(OffsetRange::size).sum() > MOST) {
            findings.note("the dead letter topic " + topic + " has more than " + MOST
                    + " records and was not read: records in it count as missing");
            return places;
        }
        boolean unused = reader.read(ranges, letter -> {
            places.add(header(letter, "topic") + "-" + header(letter, "partition") + "@" + header(letter, "offset"));
            return true;
        });
        return places;
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Header header = letter.headers().lastHeader("__connect.errors." + name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
