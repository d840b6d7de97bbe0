package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The one member of its consumer group that has all partitions, and so the only run. It commits offsets, and with them
 * parks letters, in transactions that Kafka refuses from a member that has lost its place. One thread uses it.
 */
final class GroupMember implements AutoCloseable {
    /** Longer than Kafka takes to notice that a killed run is gone. */
    private static final Duration WAIT = Duration.ofSeconds(30);

    private static final int SESSION_MS = 10_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    static final int MOST_BYTES = 256 << 20; // of a letter; the limit of a parking topic that exists decides

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final GroupOffsets offsets;
    private final Set<TopicPartition> partitions;
    private final String mark;

    private GroupMember(
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaProducer<byte[], byte[]> producer,
            GroupOffsets offsets,
            Set<TopicPartition> partitions,
            String mark) {
        this.consumer = requireNonNull(consumer, "consumer");
        this.producer = requireNonNull(producer, "producer");
        this.offsets = requireNonNull(offsets, "offsets");
        this.partitions = Set.copyOf(partitions);
        this.mark = requireNonNull(mark, "mark");
    }

    /**
     * Joins the group and waits until it has all partitions.
     *
     * @param consumerProps of a consumer without a group
     * @param partitions all of one topic
     * @param notice gets a line if another run has them
     * @throws ToolException if the other run still has them after 30 s
     */
    static GroupMember join(
            GroupOffsets offsets,
            Map<String, Object> consumerProps,
            String topic,
            Set<TopicPartition> partitions,
            Consumer<String> notice)
            throws ToolException, InterruptedException {
        String mark = offsets.mark(topic);
        long deadline = System.nanoTime() + WAIT.toNanos();
        awaitEmpty(offsets, deadline, notice);
        try {
            KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(member(consumerProps, offsets.group()));
            KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    transactional(consumerProps, offsets.group()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
            GroupMember member = new GroupMember(consumer, producer, offsets, partitions, mark);
            try {
                member.acquire(topic, deadline);
                return member;
            } catch (ToolException | InterruptedException | KafkaException e) {
                member.close();
                throw e;
            }
        } catch (InterruptException e) {
            throw interruption(e);
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new ToolException(
                    "cannot become a member of the consumer group " + offsets.group() + ": " + reason.getMessage(), e);
        }
    }

    private static Map<String, Object> member(Map<String, Object> props, String group) {
        Map<String, Object> member = new HashMap<>(props);
        member.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        member.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic"); // the other one has no assignors of clients
        member.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(OneMember.class));
        member.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS);
        member.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_MS / 4);
        member.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Integer.MAX_VALUE); // a slow server costs no place
        return member;
    }

    static Map<String, Object> transactional(Map<String, Object> clientProps, String group) {
        Map<String, Object> props = new HashMap<>(clientProps);
        props.keySet().retainAll(ProducerConfig.configNames());
        props.keySet().removeAll(List.of("interceptor.classes", "metric.reporters"));
        props.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, group);
        props.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MOST_BYTES);
        props.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 2L * MOST_BYTES); // taken as needed; a larger letter is refused
        props.put(ProducerConfig.ACKS_CONFIG, "all");
        return props;
    }

    private static void awaitEmpty(GroupOffsets offsets, long deadline, Consumer<String> notice)
            throws ToolException, InterruptedException {
        Optional<String> other = offsets.otherMember("");
        other.ifPresent(holder -> notice.accept("another run has the consumer group " + offsets.group() + " (" + holder
                + "): waiting up to " + WAIT.toSeconds() + " s for its end"));
        while (other.isPresent()) {
            throwIfLate(offsets, deadline, other.get());
            Thread.sleep(POLL.toMillis());
            other = offsets.otherMember("");
        }
    }

    private static void throwIfLate(GroupOffsets offsets, long deadline, String holder) throws ToolException {
        if (System.nanoTime() - deadline > 0) {
            throw new ToolException("another run has the consumer group " + offsets.group() + " (" + holder
                    + "): nothing was written. Wait for its end, or end it");
        }
    }

    private void acquire(String topic, long deadline) throws ToolException, InterruptedException {
        consumer.subscribe(List.of(topic), new Paused());
        while (!isHolder()) {
            if (System.nanoTime() - deadline > 0) {
                String own = consumer.groupMetadata().memberId();
                throwIfLate(offsets, deadline, offsets.otherMember(own).orElse("no other member is known"));
            }
            consumer.poll(POLL);
        }
        producer.initTransactions(); // ends the transaction of a run that was killed
    }

    /** Another consumer reads: this one stands for the run. */
    private final class Paused implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            consumer.seekToBeginning(assigned);
            consumer.pause(assigned);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            // The next commit is refused.
        }
    }

    private boolean isHolder() {
        return consumer.assignment().containsAll(partitions);
    }

    /**
     * Writes these records and stores these offsets: all or nothing.
     *
     * @throws ToolException if that failed, or if this run has lost its place
     */
    void commit(List<ProducerRecord<byte[], byte[]>> parked, Map<TopicPartition, Position> positions)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        positions.forEach((partition, position) -> committed.put(partition, position.committed(mark)));
        try {
            consumer.poll(Duration.ZERO); // answers to members that join
            if (!isHolder()) {
                throw new ToolException("this run has lost its place in the consumer group " + offsets.group()
                        + ", because Kafka did not hear of it in time: run it again");
            }
            producer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> letter : parked) {
                Future<RecordMetadata> unused = producer.send(letter); // the commit throws its error
            }
            producer.sendOffsetsToTransaction(committed, consumer.groupMetadata());
            producer.commitTransaction();
        } catch (InterruptException e) {
            throw interruption(e);
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new ToolException(
                    "Kafka did not take letters and offsets of the consumer group " + offsets.group() + ": "
                            + reason.getMessage(),
                    e);
        }
    }

    private static InterruptedException interruption(InterruptException e) {
        Thread.interrupted();
        return (InterruptedException) new InterruptedException().initCause(e);
    }

    /** Leaves the group. What is not committed is undone. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // or the clients would not close
        try {
            producer.close(CLOSE);
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
