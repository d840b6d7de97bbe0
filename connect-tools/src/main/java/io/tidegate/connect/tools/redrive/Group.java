package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.tools.command.ToolException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** The consumer group that keeps the ledger, and what Kafka says about topics. One thread uses it. */
final class Group implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Admin admin;
    private final String name;

    private Group(Admin admin, String name) {
        this.admin = requireNonNull(admin, "admin");
        this.name = requireNonNull(name, "name");
    }

    /**
     * Opens a client.
     *
     * @param props of {@link io.tidegate.connect.tools.cluster.Worker#admin}
     */
    static Group open(Map<String, Object> props, String name) throws ToolException {
        Map<String, Object> patient = new HashMap<>(props);
        Object wait = props.get(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        if (wait != null) {
            patient.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, wait); // it may not be longer
        }
        try {
            return new Group(Admin.create(patient), name);
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new ToolException("Kafka's client cannot be opened: " + reason.getMessage(), e);
        }
    }

    /** What is stored for these partitions. */
    Map<TopicPartition, OffsetAndMetadata> offsets(Set<TopicPartition> partitions)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> stored = new HashMap<>();
        ask(admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> Optional.ofNullable(offset)
                        .filter(known -> partitions.contains(partition))
                        .ifPresent(known -> stored.put(partition, known)));
        return stored;
    }

    void store(Map<TopicPartition, OffsetAndMetadata> offsets) throws ToolException, InterruptedException {
        ask(admin.alterConsumerGroupOffsets(name, offsets).all());
    }

    void requireTopic(String topic) throws ToolException, InterruptedException {
        if (!ask(admin.listTopics().names()).contains(topic)) {
            throw new ToolException("Kafka has no topic " + topic + ", or this user may not see it; create it first");
        }
    }

    private <T> T ask(KafkaFuture<T> answer) throws ToolException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new ToolException(
                    "Kafka refuses for the consumer group " + name + ": "
                            + e.getCause().getMessage(),
                    e.getCause());
        }
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted(); // or the client would not close
        admin.close(CLOSE);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
