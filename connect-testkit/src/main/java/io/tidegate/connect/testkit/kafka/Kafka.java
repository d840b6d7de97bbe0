package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.List;
import java.util.Map;

/** A Kafka broker. It does not create topics automatically: use {@link #createTopic}. */
public interface Kafka extends Server {
    /** {@code host:port} for clients in this JVM. Does not change after the first start. */
    String bootstrapServers();

    /** Creates a topic as {@link #createTopic(String, int, Map)} does, without settings of the topic. */
    default void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    /**
     * Creates a topic with one replica. Returns when the broker leads all its partitions, so that a producer's first
     * batches are accepted in order.
     *
     * @param config the topic's own settings
     * @throws ServerException if the broker rejects the request or does not respond within 30 s
     */
    default void createTopic(String name, int partitions, Map<String, String> config) {
        new KafkaAdmin(bootstrapServers()).createTopic(name, partitions, config);
    }

    /** Creates topics as {@link #createTopic(String, int)} does, with one request. */
    default void createTopics(List<String> names, int partitions) {
        new KafkaAdmin(bootstrapServers()).createTopics(names, partitions, Map.of());
    }

    /**
     * Deletes a topic.
     *
     * @throws ServerException if there is no topic with that name, or the broker does not respond within 30 s
     */
    default void deleteTopic(String name) {
        new KafkaAdmin(bootstrapServers()).deleteTopic(name);
    }
}
