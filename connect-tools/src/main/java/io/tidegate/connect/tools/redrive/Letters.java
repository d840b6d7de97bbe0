package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.redrive.LetterHeaders;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Turns letters into what converters and transforms get, and into letters of the parking topic. Pure. */
final class Letters {
    private Letters() {}

    /** The record as it was in its own topic, for converters and transforms. */
    static ConsumerRecord<byte[], byte[]> original(ConsumerRecord<byte[], byte[]> letter, Letter.Origin origin) {
        Headers own = new RecordHeaders();
        for (Header header : letter.headers()) {
            if (!header.key().startsWith(LetterHeaders.PREFIX)) {
                own.add(header);
            }
        }
        return new ConsumerRecord<>(
                origin.partition().topic(),
                origin.partition().partition(),
                origin.offset(),
                letter.timestamp(),
                letter.timestampType(),
                letter.serializedKeySize(),
                letter.serializedValueSize(),
                letter.key(),
                letter.value(),
                own,
                Optional.empty());
    }

    /** The same letter in another topic. */
    static ProducerRecord<byte[], byte[]> moved(ConsumerRecord<byte[], byte[]> letter, String topic) {
        Long timestamp = letter.timestamp() < 0 ? null : letter.timestamp();
        return new ProducerRecord<>(
                topic,
                null,
                timestamp,
                letter.key(),
                letter.value(),
                new RecordHeaders(letter.headers().toArray()));
    }

    /**
     * The letter in another topic after one more refusal, with one more set of headers, as Connect adds them.
     *
     * @param connector the name to be given as the one that refused it
     */
    static ProducerRecord<byte[], byte[]> refused(
            ConsumerRecord<byte[], byte[]> letter, String topic, String connector, String stage, Throwable reason) {
        ProducerRecord<byte[], byte[]> moved = moved(letter, topic);
        add(moved, "topic", letter.topic());
        add(moved, "partition", String.valueOf(letter.partition()));
        add(moved, "offset", String.valueOf(letter.offset()));
        add(moved, "connector.name", connector);
        add(moved, "task.id", "0");
        add(moved, "stage", stage);
        add(moved, "exception.class.name", reason.getClass().getName());
        add(moved, "exception.message", String.valueOf(reason.getMessage()));
        return moved;
    }

    private static void add(ProducerRecord<byte[], byte[]> letter, String name, String text) {
        letter.headers().add(LetterHeaders.PREFIX + name, text.getBytes(UTF_8));
    }
}
