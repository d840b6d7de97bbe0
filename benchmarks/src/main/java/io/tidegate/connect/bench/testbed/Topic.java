package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic that runs drain.
 *
 * @param records the records in all partitions together, spread evenly
 * @param bytes the size of all values
 */
public record Topic(String name, int partitions, long records, long bytes) {
    /** The name of the topic. Most measurements have only this one. */
    public static final String NAME = "bench";

    /** The timeout of the producer. It is short, because the broker runs on this machine. */
    private static final int TIMEOUT_MS = 30_000;

    /** Fills the topic, which must exist and be empty. A source that ends early makes a smaller topic. */
    public static Topic fill(String bootstrapServers, String name, int partitions, TideSource source, long limit)
            throws ToolException, InterruptedException {
        AtomicReference<String> failure = new AtomicReference<>("");
        long[] dealt = {0, 0};
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                throughput(bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer())) {
            source.stream(limit, (key, value) -> {
                if (!failure.get().isEmpty()) {
                    throw new KafkaException(failure.get());
                }
                int partition = (int) (dealt[0]++ % partitions);
                dealt[1] += value.length;
                Future<RecordMetadata> unused = producer.send(
                        new ProducerRecord<>(name, partition, key, value.length == 0 ? null : value), (metadata, e) -> {
                            if (e != null) {
                                failure.compareAndSet("", String.valueOf(e.getMessage()));
                            }
                        });
            });
            producer.flush();
        } catch (InterruptException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (KafkaException e) {
            failure.compareAndSet("", String.valueOf(e.getMessage()));
        }
        if (!failure.get().isEmpty()) {
            throw new ToolException("the topic cannot be filled: " + failure.get() + DiskSpace.remark());
        }
        return new Topic(name, partitions, dealt[0], dealt[1]);
    }

    private static Map<String, Object> throughput(String bootstrapServers) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "bench");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) TIMEOUT_MS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 << 20);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20);
        return settings;
    }

    public double bytesPerRecord() {
        return (double) bytes / records;
    }
}
