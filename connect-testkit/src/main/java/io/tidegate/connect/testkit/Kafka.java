package io.tidegate.connect.testkit;

/** One Kafka broker; topics are made by {@link #createTopic} and not by being used. */
public interface Kafka extends Server {
    /** {@code host:port} as this JVM reaches it; fixed once the broker has started. */
    String bootstrapServers();

    /**
     * Creates a topic with one replica; returns when the broker has it.
     *
     * @throws ServerException if the broker refuses, or does not answer within 30 s
     */
    void createTopic(String name, int partitions);

    /**
     * Deletes a topic.
     *
     * @throws ServerException if there is none of that name, or the broker does not answer within 30 s
     */
    void deleteTopic(String name);
}
