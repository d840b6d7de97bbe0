package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.redrive.LetterHeaders;
import io.tidegate.connect.tools.command.ToolException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes letters that failed again to another topic, as Connect would: unchanged, with one more set of headers. */
final class Parking implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final String connector;

    private Parking(KafkaProducer<byte[], byte[]> producer, String topic, String connector) {
        this.producer = requireNonNull(producer, "producer");
        this.topic = requireNonNull(topic, "topic");
        this.connector = requireNonNull(connector, "connector");
    }

    /**
     * Opens a producer.
     *
     * @param clientProps of any client of the same Kafka
     * @param connector the name to be given as the one that refused the letters
     */
    static Parking open(Map<String, Object> clientProps, String topic, String connector) throws ToolException {
        Map<String, Object> props = new HashMap<>(clientProps);
        props.keySet().retainAll(ProducerConfig.configNames());
        props.keySet().removeAll(List.of("interceptor.classes", "metric.reporters"));
        props.put(ProducerConfig.ACKS_CONFIG, "all");
        try {
            return new Parking(
                    new KafkaProducer<>(props, new ByteArraySerializer(), new ByteArraySerializer()), topic, connector);
        } catch (KafkaException e) {
            throw new ToolException("Kafka's producer cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Returns when Kafka has it. */
    void park(ConsumerRecord<byte[], byte[]> letter, String stage, Throwable reason)
            throws ToolException, InterruptedException {
        Headers headers = new RecordHeaders(letter.headers().toArray());
        add(headers, "topic", letter.topic());
        add(headers, "partition", String.valueOf(letter.partition()));
        add(headers, "offset", String.valueOf(letter.offset()));
        add(headers, "connector.name", connector);
        add(headers, "task.id", "0");
        add(headers, "stage", stage);
        add(headers, "exception.class.name", reason.getClass().getName());
        add(headers, "exception.message", String.valueOf(reason.getMessage()));
        Long timestamp = letter.timestamp() < 0 ? null : letter.timestamp();
        try {
            producer.send(new ProducerRecord<>(topic, null, timestamp, letter.key(), letter.value(), headers))
                    .get();
        } catch (ExecutionException | KafkaException e) {
            throw new ToolException(
                    "the topic " + topic + " did not take a letter: "
                            + (e.getCause() == null ? e : e.getCause()).getMessage(),
                    e);
        }
    }

    private static void add(Headers headers, String name, String text) {
        headers.add(LetterHeaders.PREFIX + name, text.getBytes(UTF_8));
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // or the producer would not close
        producer.close(CLOSE);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
