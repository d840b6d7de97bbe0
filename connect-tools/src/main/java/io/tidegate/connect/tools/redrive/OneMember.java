package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Assigns all partitions to the member that has them already, or to one of those that join at once. Kafka makes it. */
public final class OneMember implements ConsumerPartitionAssignor {
    private static final int NO_GENERATION = -1;
    private static final Comparator<Map.Entry<String, Subscription>> HOLDER_FIRST = Comparator.comparing(
                    (Map.Entry<String, Subscription> member) ->
                            member.getValue().ownedPartitions().isEmpty())
            .thenComparing(member -> member.getValue().generationId().orElse(NO_GENERATION), Comparator.reverseOrder())
            .thenComparing(Map.Entry::getKey);

    @Override
    public String name() {
        return "tidegate-one-member";
    }

    @Override
    public List<RebalanceProtocol> supportedProtocols() {
        return List.of(RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER);
    }

    @Override
    public GroupAssignment assign(Cluster metadata, GroupSubscription group) {
        Map<String, Subscription> members = group.groupSubscription();
        String holder =
                members.entrySet().stream().min(HOLDER_FIRST).orElseThrow().getKey();
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : requireNonNull(members.get(holder)).topics()) {
            for (PartitionInfo each : metadata.partitionsForTopic(topic)) {
                all.add(new TopicPartition(topic, each.partition()));
            }
        }
        Map<String, Assignment> assignments = new HashMap<>();
        members.keySet().forEach(id -> assignments.put(id, new Assignment(id.equals(holder) ? all : List.of())));
        return new GroupAssignment(assignments);
    }
}
