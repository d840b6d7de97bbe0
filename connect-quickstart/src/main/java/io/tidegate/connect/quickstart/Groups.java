package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Sink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;

/** Asks the broker about the connectors' consumer groups. */
final class Groups implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 20;

    private final Admin admin;

    Groups(String bootstrapServers) {
        admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    /** The number of records whose offsets the connector has committed. */
    long committed(Sink sink) throws ToolException, InterruptedException {
        return get(admin.listConsumerGroupOffsets(sink.consumerGroup()).partitionsToOffsetAndMetadata())
                .values()
                .stream()
                .mapToLong(offset -> offset.offset())
                .sum();
    }

    /** Whether all partitions are assigned to the connector's tasks, so that new records are consumed at once. */
    boolean consumes(Sink sink, int partitions) throws ToolException, InterruptedException {
        ConsumerGroupDescription group = get(admin.describeConsumerGroups(List.of(sink.consumerGroup()))
                .describedGroups()
                .get(sink.consumerGroup()));
        int assigned = group.members().stream()
                .mapToInt(member -> member.assignment().topicPartitions().size())
                .sum();
        return group.groupState() == GroupState.STABLE && assigned == partitions;
    }

    private static <T> T get(KafkaFuture<T> future) throws ToolException, InterruptedException {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new ToolException("the Kafka broker does not respond: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
