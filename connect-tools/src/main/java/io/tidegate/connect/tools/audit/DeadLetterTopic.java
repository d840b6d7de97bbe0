package io.tidegate.connect.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

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

/**
 * A topic of records that the connector refused.
 *
 * @param topic its name; empty if there is none
 * @param connector whose letters count
 * @param admin the settings of a client that reads the offsets of redrives
 * @param isParking whether redrives move letters to it
 */
record DeadLetterTopic(String topic, String connector, Map<String, Object> admin, boolean isParking) {
    static final String TOPIC = "errors.deadletterqueue.topic.name";
    private static final String CONNECTOR = LetterHeaders.PREFIX + "connector.name";

    /** More of them are not read: each is kept in memory. */
    private static final long MOST = 1_000_000;

    DeadLetterTopic {
        requireNonNull(topic, "topic");
        requireNonNull(connector, "connector");
        admin = Map.copyOf(admin);
    }

    /** Finds the places of this connector's letters that are not redriven; none if its letters have no headers. */
    void find(TopicReader reader, Findings findings) throws ToolException, InterruptedException {
        if (topic.isEmpty() || !reader.exists(topic)) {
            return;
        }
        Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
        if (ranges.values().stream().mapToLong(OffsetRange::size).sum() > MOST) {
            findings.note("the dead letter topic " + topic + " has more than " + MOST
                    + " records and was not read: records in it count as missing");
            return;
        }
        RedrivenLetters redriven = RedrivenLetters.of(admin, connector, topic, ranges);
        // A redrive creates the topic for parking first, so without one there was none.
        boolean mayBeForgotten = redriven.areUnknown() && (isParking || reader.exists(RedrivenLetters.parking(topic)));
        Set<String> places = new HashSet<>();
        boolean unused = reader.read(ranges, letter -> {
            boolean isOpen = !redriven.has(new TopicPartition(letter.topic(), letter.partition()), letter.offset());
            if (isOpen && header(letter, CONNECTOR).equals(connector)) {
                places.add(header(letter, LetterHeaders.TOPIC) + "-" + header(letter, LetterHeaders.PARTITION) + "@"
                        + header(letter, LetterHeaders.OFFSET));
            }
            return true;
        });
        findings.deadLetters(places, mayBeForgotten);
    }

    /** The first of them is of the original record. */
    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        Iterator<Header> headers = letter.headers().headers(name).iterator();
        return headers.hasNext() ? new String(headers.next().value(), UTF_8) : "";
    }
}
