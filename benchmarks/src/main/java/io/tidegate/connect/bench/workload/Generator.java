package io.tidegate.connect.bench.workload;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends each record when it is due, on a separate thread. A record carries the time when it was due. If the producer or
 * the broker delays the thread, records are sent late, and their latencies include the delay.
 */
public final class Generator implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final long PARK_NANOS = 200_000;

    /** With room for large records. */
    private static final Map<String, String> SETTINGS = Map.of(
            ProducerConfig.LINGER_MS_CONFIG, "5",
            ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10),
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(16 << 20),
            ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(64L << 20));

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final Timetable timetable;
    private final Stamped values;
    private final long startMicros;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLongArray latestMicros;
    private final Thread thread = new Thread(this::run, "generator");
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean done;

    /**
     * The state of the generator.
     *
     * @param sent records handed to the producer
     * @param accepted records that the broker has acknowledged
     * @param done whether it sends no more records
     * @param failure the reason why it failed, if it did
     */
    public record Sending(long sent, long accepted, boolean done, Optional<String> failure) {}

    /**
     * Starts a generator that sends at once.
     *
     * @param values the values, used in turn
     */
    public Generator(LoadTest test, WorkloadFile load, List<byte[]> values) {
        List<Phase> phases = load.shapes();
        topic = test.topic();
        partitions = load.partitions();
        this.values = new Stamped(values);
        latestMicros = new AtomicLongArray(phases.size());
        Map<String, Object> settings = new HashMap<>(SETTINGS);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, test.bootstrapServers());
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "bench-generator");
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        startMicros = Timetable.nowMicros();
        timetable = new Timetable(phases, load.late(), startMicros);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted() && !timetable.isOver(Timetable.nowMicros())) {
                sendNext();
            }
            producer.flush();
        } catch (InterruptException e) {
            fail("the generator was interrupted");
        } catch (KafkaException e) {
            fail("the producer failed: " + e.getMessage());
        }
        done = true;
    }

    private void sendNext() {
        int phase = timetable.phase();
        long due = timetable.due(Timetable.nowMicros());
        long late;
        while ((late = Timetable.nowMicros() - due) < 0) {
            LockSupport.parkNanos(Math.min(PARK_NANOS, -late * 1000));
        }
        latestMicros.accumulateAndGet(phase, late, Math::max);
        long number = sent.get();
        Future<RecordMetadata> unused = producer.send(
                new ProducerRecord<>(topic, (int) (number % partitions), new byte[0], values.value(number, due, phase)),
                (metadata, e) -> {
                    if (e == null) {
                        accepted.incrementAndGet();
                    } else {
                        fail("the producer failed: " + e.getMessage());
                    }
                });
        sent.incrementAndGet();
        timetable.next();
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = Optional.of(reason);
        }
    }

    /** The start of the first phase, in microseconds since 1970. */
    long startMicros() {
        return startMicros;
    }

    public Sending sample() {
        boolean isDone = done; // read first, so that the counts are final
        return new Sending(sent.get(), accepted.get(), isDone, failure);
    }

    /** The largest delay with which a record of the phase was sent, in milliseconds; 0 if none was sent. */
    double lagMillis(int phase) {
        return latestMicros.get(phase) / 1e3;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis()); // a producer that is closed takes no record
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(CLOSE_TIMEOUT);
    }
}
