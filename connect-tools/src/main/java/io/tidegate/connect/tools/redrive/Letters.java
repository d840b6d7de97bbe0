package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.common.redrive.LetterHeaders;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;

/** Turns letters into what converters, transforms and the task get. Pure. */
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

    /** What the task gets for a converted record: the letter's position, and headers that name the original one. */
    static SinkRecord delivered(SinkRecord converted, ConsumerRecord<byte[], byte[]> letter) {
        org.apache.kafka.connect.header.Headers headers = new ConnectHeaders(converted.headers())
                .addString(LetterHeaders.TOPIC, converted.originalTopic())
                .addInt(LetterHeaders.PARTITION, converted.originalKafkaPartition())
                .addLong(LetterHeaders.OFFSET, converted.originalKafkaOffset());
        return new SinkRecord(
                converted.topic(),
                converted.kafkaPartition(),
                converted.keySchema(),
                converted.key(),
                converted.valueSchema(),
                converted.value(),
                letter.offset(),
                converted.timestamp(),
                converted.timestampType(),
                headers,
                letter.topic(),
                letter.partition(),
                letter.offset());
    }
}
