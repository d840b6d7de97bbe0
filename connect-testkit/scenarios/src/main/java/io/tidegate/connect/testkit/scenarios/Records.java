package io.tidegate.connect.testkit.scenarios;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes the scenarios' records to Kafka and reads dead letters. Used by one test thread. */
public final class Records implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String REASON = "__connect.errors.exception.message";

    private final String bootstrapServers;
    private final KafkaProducer<String, String> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    /** A record of the dead letter queue, with the error message from Connect's headers. */
    public record DeadLetter(String value, String reason) {}

    /** Connects to the broker at this address. */
    public Records(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        this.producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.LINGER_MS_CONFIG, "5"),
                new StringSerializer(),
                new StringSerializer());
    }

    /** Sends objects with these numbers to all partitions, each with a different key. Returns when Kafka has them. */
    public void send(String topic, long first, long end) {
        for (long n = first; n < end; n++) {
            send(new ProducerRecord<>(topic, Long.toString(n), json(n)));
        }
        awaitSent();
    }

    /** Like {@link #send}, but to one partition. */
    public void sendTo(String topic, int partition, long first, long end) {
        for (long n = first; n < end; n++) {
            send(new ProducerRecord<>(topic, partition, Long.toString(n), json(n)));
        }
        awaitSent();
    }

    /** Sends a record without a key for each value, to all partitions. */
    public void sendAll(String topic, Stream<String> values) {
        values.forEach(value -> send(new ProducerRecord<>(topic, value)));
        awaitSent();
    }

    /** These records, wherever they go; returns when Kafka has them. */
    public void sendAll(Stream<ProducerRecord<String, String>> records) {
        records.forEach(this::send);
        awaitSent();
    }

    /** One record with this value and no key. */
    public void sendJson(String topic, String value) {
        send(new ProducerRecord<>(topic, value));
        awaitSent();
    }

    /** One record with this value, whatever it is, and no key. */
    public void sendBytes(String topic, byte[] value) {
        try (KafkaProducer<byte[], byte[]> bytes = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            sent.add(bytes.send(new ProducerRecord<>(topic, value)));
            bytes.flush();
            awaitSent();
        }
    }

    /** One record with these headers and no key. */
    public void sendWithHeaders(String topic, Map<String, String> headers, String value) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, value);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
        send(record);
        awaitSent();
    }

    /** Sends a record with this key and value. */
    public void sendKeyed(String topic, String key, String value) {
        send(new ProducerRecord<>(topic, key, value));
    }

    /** Sends a record with this key and no value. Returns when Kafka has everything that was sent. */
    public void sendTombstone(String topic, String key) {
        send(new ProducerRecord<>(topic, key, null));
        awaitSent();
    }

    private void send(ProducerRecord<String, String> record) {
        sent.add(producer.send(record));
    }

    private void awaitSent() {
        producer.flush();
        List<Future<RecordMetadata>> flushed = List.copyOf(sent);
        sent.clear();
        for (Future<RecordMetadata> record : flushed) {
            try {
                record.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            } catch (ExecutionException e) {
                throw new AssertionError("Kafka did not accept a record", e.getCause());
            }
        }
    }

    /** The number of bytes in the values of these records. */
    static int jsonBytes(long first, long end) {
        return LongStream.range(first, end).mapToInt(n -> json(n).length()).sum();
    }

    private static String json(long n) {
        return "{\"n\":" + n + ",\"station\":\"9447130\",\"level\":1.798,\"quality\":\"v\"}";
    }

    /** Everything that a dead letter topic contains. Waits until the topic exists and is not empty. */
    public List<DeadLetter> deadLetters(String topic) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<DeadLetter> letters = new ArrayList<>();
            await().atMost(ANSWER).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(letter -> letters.add(read(letter)));
                return !letters.isEmpty() && isAtEnd(consumer, partitions);
            });
            return letters;
        }
    }

    private static boolean isAtEnd(KafkaConsumer<String, String> consumer, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        return partitions.stream().allMatch(partition -> consumer.position(partition) >= ends.get(partition));
    }

    private static DeadLetter read(ConsumerRecord<String, String> letter) {
        Optional<Header> reason = Optional.ofNullable(letter.headers().lastHeader(REASON));
        return new DeadLetter(
                letter.value(),
                reason.map(header -> new String(header.value(), StandardCharsets.UTF_8))
                        .orElse(""));
    }

    @Override
    public void close() {
        producer.close(ANSWER);
    }
}
