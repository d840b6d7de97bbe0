package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Administrative requests for {@link Kafka}, each on a new connection. Thread-safe. */
public final class KafkaAdmin {
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final String bootstrapServers;

    /** @param bootstrapServers {@code host:port} */
    public KafkaAdmin(String bootstrapServers) {
        this.bootstrapServers = Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    }

    /** See {@link Kafka#createTopic(String, int, Map)}. */
    public void createTopic(String name, int partitions, Map<String, String> config) {
        NewTopic topic = new NewTopic(Objects.requireNonNull(name, "name"), partitions, (short) 1).configs(config);
        ask("create topic " + name, ANSWER, admin -> admin.createTopics(List.of(topic))
                .all());
        awaitLeader(name, partitions);
    }

    /**
     * Waits until every partition has a leader. A topic exists before its partitions have leaders. If an idempotent
     * producer writes to it then, the broker can reject the first batch (NOT_LEADER_OR_FOLLOWER) and accept the next
     * ones, because it does not know the producer yet. The first batch then stays out of order. Only a leader returns a
     * partition's offsets, and the client repeats the request until there is a leader. It gives up sooner if the broker
     * has not heard of the topic yet, as after a deletion of the same name.
     */
    private void awaitLeader(String name, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        if (!Poll.until(() -> isLed(name, ends), ANSWER)) {
            throw new ServerException("Kafka broker %s does not know topic %s".formatted(bootstrapServers, name));
        }
    }

    private boolean isLed(String name, Map<TopicPartition, OffsetSpec> ends) {
        try {
            ask("lead all partitions of topic " + name, ANSWER, admin -> admin.listOffsets(ends)
                    .all());
            return true;
        } catch (ServerException e) {
            if (e.getCause() instanceof ExecutionException failed
                    && failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    /** See {@link Kafka#deleteTopic}. */
    public void deleteTopic(String name) {
        Objects.requireNonNull(name, "name");
        ask("delete topic " + name, ANSWER, admin -> admin.deleteTopics(List.of(name))
                .all());
    }

    /** Whether the broker describes its cluster within 5 s. */
    public boolean isAnswered() {
        try {
            ask("describe the cluster", PROBE, admin -> admin.describeCluster().nodes());
            return true;
        } catch (ServerException e) {
            return false;
        }
    }

    private <T> void ask(String what, Duration atMost, Function<Admin, KafkaFuture<T>> question) {
        Properties config = new Properties();
        config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) atMost.toMillis());
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PROBE.toMillis());
        Admin admin = Admin.create(config);
        try {
            question.apply(admin).get(2 * atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServerException("Kafka broker %s did not %s: %s".formatted(bootstrapServers, what, e), e);
        } catch (InterruptedException e) {
            throw Poll.interrupted(what, e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
