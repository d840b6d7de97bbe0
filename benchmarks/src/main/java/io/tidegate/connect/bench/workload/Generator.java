package io.tidegate.connect.bench.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
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
 * Sends each record when it is due, on a thread of its own. A record carries the time when it was due: one that is sent
 * late, because the producer or the broker held the thread up, has waited, and its latency says so. Nothing is left out to catch up.
 */
final class Generator implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final long PARK_NANOS = 200_000;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final List<Phase> phases;
    private final List<byte[]> values;
    private final AtomicLong accepted = new AtomicLong();
    private final Thread thread = new Thread(this::run, "generator");
    private final long[] lagMicros;
    private final AtomicLong sent = new AtomicLong();
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean done;
    private volatile long startMicros;

    /**
     * A generator that has not started.
     *
     * @param values JSON objects, used in turn; the time and the phase are put in front of their fields
     */
    Generator(String bootstrapServers, String topic, int partitions, List<Phase> phases, List<byte[]> values) {
        this.topic = topic;
        this.partitions = partitions;
        this.phases = phases;
        this.values = values;
        lagMicros = new long[phases.size()];
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "bench-generator");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 << 20);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        thread.setDaemon(true);
    }

    void start() {
        startMicros = nowMicros();
        thread.start();
    }

    static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    private void run() {
        try {
            double begin = 0;
            for (int i = 0; i < phases.size(); i++) {
                send(i, phases.get(i), begin);
                begin += phases.get(i).seconds();
            }
            producer.flush();
        } catch (InterruptException e) {
            fail("the generator was interrupted");
        } catch (KafkaException e) {
            fail("the producer failed: " + e.getMessage());
        }
        done = true;
    }

    private void send(int index, Phase phase, double begin) {
        long phaseStart = startMicros + Math.round(begin * 1e6);
        long end = phaseStart + Math.round(phase.seconds() * 1e6);
        for (long number = 0; phase.isUnbounded() || number < phase.records(); number++) {
            long due = phase.isUnbounded() ? nowMicros() : phaseStart + Math.round(phase.time(number) * 1e6);
            boolean over = phase.isUnbounded() && due >= end;
            if (over || Thread.currentThread().isInterrupted()) {
                return;
            }
            long lag;
            while ((lag = nowMicros() - due) < 0) {
                LockSupport.parkNanos(Math.min(PARK_NANOS, -lag * 1000));
            }
            lagMicros[index] = Math.max(lagMicros[index], lag);
            send(value(due, index));
        }
    }

    private void send(byte[] value) {
        int partition = (int) (sent.get() % partitions);
        Future<RecordMetadata> unused =
                producer.send(new ProducerRecord<>(topic, partition, new byte[0], value), (metadata, e) -> {
                    if (e == null) {
                        accepted.incrementAndGet();
                    } else {
                        fail("the producer failed: " + e.getMessage());
                    }
                });
        sent.incrementAndGet();
    }

    private byte[] value(long due, int phase) {
        byte[] value = values.get((int) (sent.get() % values.size()));
        byte[] head = ("{\"t\":" + due + ",\"p\":" + phase + ",").getBytes(ISO_8859_1);
        byte[] whole = Arrays.copyOf(head, head.length + value.length - 1);
        System.arraycopy(value, 1, whole, head.length, value.length - 1);
        return whole;
    }

    private void fail(String reason) {
        if (failure.isEmpty()) {
            failure = Optional.of(reason);
        }
    }

    Optional<String> failure() {
        return failure;
    }

    boolean isDone() {
        return done;
    }

    /** Records that are due by now; of an unbounded phase those that were sent. */
    long offered() {
        double elapsed = (nowMicros() - startMicros) / 1e6;
        if (phases.stream().anyMatch(Phase::isUnbounded)) {
            return sent.get();
        }
        double due = 0;
        for (Phase phase : phases) {
            due += Math.floor(phase.due(elapsed));
            elapsed -= phase.seconds();
        }
        return (long) due;
    }

    long sent() {
        return sent.get();
    }

    long accepted() {
        return accepted.get();
    }

    /** How late the latest record of a phase was sent, in milliseconds; once the generator is done. */
    double lagMillis(int phase) {
        return lagMicros[phase] / 1e3;
    }

    @Override
    public void close() {
        thread.interrupt();
        producer.close(CLOSE);
    }
}
