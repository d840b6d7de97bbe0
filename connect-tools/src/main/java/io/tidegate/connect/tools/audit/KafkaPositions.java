package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** What Kafka says of a connector and its topics. */
final class KafkaPositions {
    private static final String OWN_GROUP = "consumer.override.group.id";

    private final Map<String, Object> admin;
    private final String group;

    /**
     * Asks nothing yet.
     *
     * @param admin the settings of the client
     * @param connector the connector's settings
     */
    KafkaPositions(Map<String, Object> admin, String name, Map<String, String> connector) {
        this.admin = requireNonNull(admin, "admin");
        this.group = connector.getOrDefault(OWN_GROUP, "connect-" + name);
    }

    /** The consumer group of the connector's tasks. */
    String group() {
        return group;
    }

    /** The next offsets that the connector has committed. Partitions without one are left out. */
    Map<TopicPartition, Long> committed() throws ToolException, InterruptedException {
        Map<TopicPartition, Long> committed = new HashMap<>();
        try (Admin client = Admin.create(admin)) {
            answer(client.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                    .forEach((partition, offset) -> {
                        if (offset != null) {
                            committed.put(partition, offset.offset());
                        }
                    });
        } catch (KafkaException e) {
            throw new ToolException("Kafka's client cannot be opened: " + e.getMessage(), e);
        }
        return committed;
    }

    /** Whether a task of the connector is running. */
    boolean isRunning() throws ToolException, InterruptedException {
        try (Admin client = Admin.create(admin)) {
            return !client.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group)
                    .get()
                    .members()
                    .isEmpty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return false;
            }
            throw new ToolException("Kafka does not answer: " + e.getCause().getMessage(), e);
        } catch (KafkaException e) {
            throw new ToolException("Kafka's client cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Those of the topics from which Kafka deletes older records of a key. */
    Set<String> compacted(Collection<String> topics) throws ToolException, InterruptedException {
        Set<ConfigResource> resources = new HashSet<>();
        topics.forEach(topic -> resources.add(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
        Set<String> compacted = new HashSet<>();
        try (Admin client = Admin.create(admin)) {
            for (Map.Entry<ConfigResource, Config> topic :
                    answer(client.describeConfigs(resources).all()).entrySet()) {
                ConfigEntry policy = topic.getValue().get(TopicConfig.CLEANUP_POLICY_CONFIG);
                if (policy != null && policy.value().contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                    compacted.add(topic.getKey().name());
                }
            }
        } catch (KafkaException e) {
            throw new ToolException("Kafka's client cannot be opened: " + e.getMessage(), e);
        }
        return compacted;
    }

    /** The ids of topics: one that is created again has another. */
    Map<String, String> ids(Collection<String> topics) throws ToolException, InterruptedException {
        Map<String, String> ids = new HashMap<>();
        try (Admin client = Admin.create(admin)) {
            answer(client.describeTopics(topics).allTopicNames())
                    .forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        } catch (KafkaException e) {
            throw new ToolException("Kafka's client cannot be opened: " + e.getMessage(), e);
        }
        return ids;
    }

    private static <T> T answer(KafkaFuture<T> future) throws ToolException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new ToolException("Kafka does not answer: " + e.getCause().getMessage(), e);
        }
    }
}
