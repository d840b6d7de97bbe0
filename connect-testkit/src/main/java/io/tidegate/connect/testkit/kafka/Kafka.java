package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.util.Map;

/** One Kafka broker; topics are made by {@link #createTopic} and not by being used. */
public interface Kafka extends Server {
    /** {@code host:port} as this JVM reaches it; fixed once the broker has started. */
    String bootstrapServers();

    /** As {@link #createTopic(String, int, Map)}, with the broker's own settings. */
    default void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    /**
     * Creates a topic with one replica; returns when the broker leads all its partitions, so that a producer's first
     * batches are taken in their order.
     *
     * @param config the topic's own settings
     * @throws ServerException if the broker refuses, or does not answer within 30 s
     */
    void createTopic(String name, int partitions, Map<String, String> config);

    /**
     * Deletes a topic.
     *
     * @throws ServerException if there is none of that name, or the broker does not answer within 30 s
     */
    void deleteTopic(String name);
}
