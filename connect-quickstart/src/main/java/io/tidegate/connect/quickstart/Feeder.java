package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Streams the source into the topic on a separate thread. The producer's buffer bounds the records that wait to be
 * sent. The producer's thread counts the acknowledged records of each partition.
 */
final class Feeder implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final TideSource source;
    private final long records;
    private final AtomicLongArray acknowledged;
    private final Thread thread = new Thread(this::run, "feeder");
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean done;

    Feeder(String bootstrapServers, int partitions, TideSource source, long records) {
        this(
                new KafkaProducer<>(settings(bootstrapServers), new ByteArraySerializer(), new ByteArraySerializer()),
                partitions,
                source,
                records);
    }

    Feeder(Producer<byte[], byte[]> producer, int partitions, TideSource source, long records) {
        this.producer = producer;
        this.source = source;
        this.records = records;
        this.acknowledged = new AtomicLongArray(partitions);
        thread.setDaemon(true);
    }

    /** Tuned for throughput. The producer is idempotent, so that the topic contains every record once. */
    private static Map<String, Object> settings(String bootstrapServers) {
        return Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.CLIENT_ID_CONFIG,
                "quickstart",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.BATCH_SIZE_CONFIG,
                128 << 10,
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                32L << 20);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            source.stream(records, this::send);
            producer.flush();
        } catch (ToolException e) {
            fail(e.getMessage());
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            fail("interrupted");
        } catch (KafkaException e) {
            fail("the producer failed: " + e.getMessage());
        }
        done = true;
    }

    private void send(byte[] key, byte[] value) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ProducerRecord<byte[], byte[]> keyed = key.length == 0
                ? new ProducerRecord<>(Plan.TOPIC, value)
                : new ProducerRecord<>(Plan.TOPIC, key, value);
        Future<RecordMetadata> unused = producer.send(keyed, (metadata, e) -> {
            if (e == null) {
                acknowledged.incrementAndGet(metadata.partition());
            } else {
                fail("the producer failed: " + e.getMessage());
            }
        });
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = Optional.of(reason);
        }
    }

    Optional<String> failure() {
        return failure;
    }

    /** Whether all records are in the topic. */
    boolean done() {
        return done;
    }

    Produced produced() {
        return new Produced(LongStream.range(0, acknowledged.length())
                .mapToObj(partition -> acknowledged.get((int) partition))
                .toList());
    }

    /** Ends the thread first, because a closed producer throws at the next record. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(CLOSE);
    }
}
