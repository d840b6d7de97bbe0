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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Administrative requests for {@link Kafka}, each call with a new client. Thread-safe. */
public final class KafkaAdmin {
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration EXPIRY = Duration.ofSeconds(15);

    private final String bootstrapServers;

    /** @param bootstrapServers {@code host:port} */
    public KafkaAdmin(String bootstrapServers) {
        this.bootstrapServers = Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    }

    /** See {@link Kafka#createTopic(String, int, Map)}. */
    public void createTopic(String name, int partitions, Map<String, String> config) {
        createTopics(List.of(Objects.requireNonNull(name, "name")), partitions, config);
    }

    /** Creates topics of the same kind with one request. See {@link Kafka#createTopic(String, int, Map)}. */
    public void createTopics(List<String> names, int partitions, Map<String, String> config) {
        List<NewTopic> topics = names.stream()
                .map(name -> new NewTopic(name, partitions, (short) 1).configs(config))
                .toList();
        withClient(ANSWER, admin -> {
            KafkaFuture<Void> created = admin.createTopics(topics).all();
            await("create topic " + String.join(", ", names), ANSWER, created);
            awaitLeaders(admin, names, partitions);
        });
    }

    /**
     * Waits until every partition has a leader. A topic exists before its partitions have leaders. If an idempotent
     * producer writes to it then, the broker can reject the first batch (NOT_LEADER_OR_FOLLOWER) and accept the next
     * ones, because it does not know the producer yet. The first batch then stays out of order. Only a leader returns a
     * partition's offsets, and the client repeats the request until there is a leader. It gives up sooner if the broker
     * has not heard of the topic yet, as after a deletion of the same name.
     */
    private void awaitLeaders(Admin admin, List<String> names, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = names.stream()
                .flatMap(name -> IntStream.range(0, partitions).mapToObj(n -> new TopicPartition(name, n)))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        String topics = String.join(", ", names);
        if (!Poll.until(() -> areLed(admin, topics, ends), ANSWER)) {
            throw new ServerException("Kafka broker %s does not know topic %s".formatted(bootstrapServers, topics));
        }
    }

    private boolean areLed(Admin admin, String topics, Map<TopicPartition, OffsetSpec> ends) {
        KafkaFuture<?> offsets = admin.listOffsets(ends).all();
        try {
            await("lead all partitions of topic " + topics, ANSWER, offsets);
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

    /**
     * Deletes all topics and groups, but the broker's own. A group whose members have just been killed is deleted when
     * their sessions have expired.
     *
     * @throws ServerException if a group has members for another 15 s
     */
    public void deleteEverything() {
        withClient(ANSWER, admin -> {
            await(
                    "delete all topics",
                    ANSWER,
                    admin.deleteTopics(await(
                                    "list topics", ANSWER, admin.listTopics().names()))
                            .all());
            if (!Poll.until(() -> areDeleted(admin), EXPIRY)) {
                throw new ServerException("Kafka broker %s did not delete all groups".formatted(bootstrapServers));
            }
        });
    }

    private boolean areDeleted(Admin admin) {
        List<String> groups = await("list groups", ANSWER, admin.listGroups().all()).stream()
                .map(GroupListing::groupId)
                .toList();
        try {
            await(
                    "delete all groups",
                    ANSWER,
                    admin.deleteConsumerGroups(groups).all());
            return true;
        } catch (ServerException e) {
            return false;
        }
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

    private void ask(String what, Duration atMost, Function<Admin, KafkaFuture<?>> question) {
        withClient(atMost, admin -> await(what, atMost, question.apply(admin)));
    }

    private void withClient(Duration atMost, Consumer<Admin> work) {
        Properties config = new Properties();
        config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) atMost.toMillis());
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PROBE.toMillis());
        Admin admin = Admin.create(config);
        try {
            work.accept(admin);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private <T> T await(String what, Duration atMost, KafkaFuture<T> answer) {
        try {
            return answer.get(2 * atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ServerException("Kafka broker %s did not %s: %s".formatted(bootstrapServers, what, e), e);
        } catch (InterruptedException e) {
            throw Poll.interrupted(what, e);
        }
    }
}
