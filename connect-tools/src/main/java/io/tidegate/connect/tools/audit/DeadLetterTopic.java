package io.tidegate.connect.tools.audit;

import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Iterator;
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
            places.add(header(letter, LetterHeaders.TOPIC) + "-" + header(letter, LetterHeaders.PARTITION) + "@"
                    + header(letter, LetterHeaders.OFFSET));
            return true;
        });
        return places;
    }

    /** The first of them is of the original record. */
    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Iterator<Header> headers = letter.headers().headers(name).iterator();
        return headers.hasNext() ? new String(headers.next().value(), StandardCharsets.UTF_8) : "";
    }
}
