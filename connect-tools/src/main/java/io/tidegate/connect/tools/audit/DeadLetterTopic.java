package io.tidegate.connect.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import io.tidegate.connect.tools.redrive.RedrivenLetters;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** The records that the connector refused and that are not redriven, by their places in Kafka. */
final class DeadLetterTopic {
    static final String TOPIC = "errors.deadletterqueue.topic.name";
    private static final String CONNECTOR = LetterHeaders.PREFIX + "connector.name";

    /** More of them are not read: each is kept in memory. */
    private static final long MOST = 1_000_000;

    private DeadLetterTopic() {}

    /**
     * The places of this connector's letters; empty if there is no such topic, or if its letters have no headers.
     *
     * @param admin the settings of a client that reads the offsets of redrives
     * @param connector whose letters count
     */
    static Set<String> places(
            TopicReader reader, Map<String, Object> admin, String topic, String connector, Findings findings)
            throws ToolException, InterruptedException {
        Set<String> places = new HashSet<>();
        if (topic.isEmpty() || !reader.exists(topic)) {
            return places;
        }
        Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
        if (ranges.values().stream().mapToLong(OffsetRange::size).sum() > MOST) {
            findings.note("the dead letter topic " + topic + " has more than " + MOST
                    + " records and was not read: records in it count as missing");
            return places;
        }
        RedrivenLetters redriven = RedrivenLetters.of(admin, connector, topic, ranges);
        boolean unused = reader.read(ranges, letter -> {
            boolean isOpen = !redriven.has(new TopicPartition(letter.topic(), letter.partition()), letter.offset());
            if (isOpen && header(letter, CONNECTOR).equals(connector)) {
                places.add(header(letter, LetterHeaders.TOPIC) + "-" + header(letter, LetterHeaders.PARTITION) + "@"
                        + header(letter, LetterHeaders.OFFSET));
            }
            return true;
        });
        return places;
    }

    /** The first of them is of the original record. */
    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Iterator<Header> headers = letter.headers().headers(name).iterator();
        return headers.hasNext() ? new String(headers.next().value(), UTF_8) : "";
    }
}
