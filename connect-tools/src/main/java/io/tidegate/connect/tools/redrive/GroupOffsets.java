package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.records.OffsetRange;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;

/** What Kafka says about a consumer group and about topics, without being a member. One thread uses it. */
final class GroupOffsets implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Admin admin;
    private final String group;
    private final String connector;

    private GroupOffsets(Admin admin, String group, String connector) {
        this.admin = requireNonNull(admin, "admin");
        this.group = requireNonNull(group, "group");
        this.connector = requireNonNull(connector, "connector");
    }

    /**
     * Opens a client.
     *
     * @param props of {@link io.tidegate.connect.tools.cluster.Worker#admin}
     * @param connector whose letters the group passes
     */
    static GroupOffsets open(Map<String, Object> props, String group, String connector) throws ToolException {
        Map<String, Object> patient = new HashMap<>(props);
        Object wait = props.get(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        if (wait != null) {
            patient.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, wait); // it may not be longer
        }
        try {
            return new GroupOffsets(Admin.create(patient), group, connector);
        } catch (KafkaException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new ToolException("Kafka's client cannot be opened: " + reason.getMessage(), e);
        }
    }

    String group() {
        return group;
    }

    /**
     * How far the group is. If it has no offset of any of these partitions, each existing letter is in doubt: Kafka may
     * have forgotten the offsets.
     *
     * @param ranges the partitions of one topic, with the offsets that Kafka has
     * @param isHeld whether no other run can have a transaction under way; its end is waited for
     */
    Map<TopicPartition, Position> positions(String topic, Map<TopicPartition, OffsetRange> ranges, boolean isHeld)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed =
                ask(admin.listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions().requireStable(isHeld))
                        .partitionsToOffsetAndMetadata());
        boolean isKnown = ranges.keySet().stream().anyMatch(partition -> committed.get(partition) != null);
        String mark = mark(topic);
        Map<TopicPartition, Position> positions = new HashMap<>();
        for (Map.Entry<TopicPartition, OffsetRange> each : ranges.entrySet()) {
            TopicPartition partition = each.getKey();
            OffsetRange range = each.getValue();
            OffsetAndMetadata known = committed.get(partition);
            if (known != null && known.offset() > range.to()) {
                throw Position.recreated(partition);
            }
            Position unknown = new Position(range.from(), isKnown ? range.from() : range.to());
            positions.put(partition, known == null ? unknown : Position.of(known, mark, partition));
        }
        return positions;
    }

    /** How far other groups are in the topic that may have written letters of this connector. */
    LetterReaders readers(String topic, Collection<TopicPartition> partitions)
            throws ToolException, InterruptedException {
        String mark = mark(topic);
        LetterReaders readers = new LetterReaders();
        for (String name : writers(readers)) {
            ListConsumerGroupOffsetsSpec spec = new ListConsumerGroupOffsetsSpec().topicPartitions(partitions);
            try {
                admin.listConsumerGroupOffsets(Map.of(name, spec))
                        .partitionsToOffsetAndMetadata(name)
                        .get()
                        .forEach((partition, committed) -> {
                            if (committed != null) {
                                readers.add(name, partition, committed, mark);
                            }
                        });
            } catch (ExecutionException e) {
                if (e.getCause() instanceof GroupAuthorizationException) {
                    readers.addUnknown(name);
                } else if (!(e.getCause() instanceof GroupIdNotFoundException)) { // deleted meanwhile
                    throw refusal(name, e);
                }
            }
        }
        return readers;
    }

    private List<String> writers(LetterReaders readers) throws ToolException, InterruptedException {
        try {
            return admin.listGroups(ListGroupsOptions.forConsumerGroups()).all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(LetterReaders::writes)
                    .sorted()
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                readers.addUnknown("all groups");
                return List.of();
            }
            throw new ToolException(
                    "Kafka does not list its consumer groups: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Whether Kafka has an offset of the group, of any topic. It forgets all of a group together. */
    boolean hasOffsets() throws ToolException, InterruptedException {
        return !ask(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .isEmpty();
    }

    /** What the group's offsets of a topic are marked with: the topic that exists now, and the connector. */
    String mark(String topic) throws ToolException, InterruptedException {
        return ask(admin.describeTopics(List.of(topic)).allTopicNames())
                        .get(topic)
                        .topicId()
                + " " + URLEncoder.encode(connector, StandardCharsets.UTF_8);
    }

    /**
     * A member of the group that is not this one.
     *
     * @param own member id; empty before this process joins
     */
    Optional<String> otherMember(String own) throws ToolException, InterruptedException {
        try {
            return admin.describeConsumerGroups(List.of(group)).describedGroups().get(group).get().members().stream()
                    .filter(member -> !member.consumerId().equals(own))
                    .map(member -> "member " + member.consumerId() + " on "
                            + member.host().replaceFirst("^/", ""))
                    .findFirst();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Optional.empty();
            }
            throw refusal(e);
        }
    }

    /** Creates a topic that keeps letters for good, unless it exists. */
    void createIfMissing(String topic, int partitions) throws ToolException, InterruptedException {
        if (!ask(admin.listTopics().names()).contains(topic)) {
            NewTopic parking = new NewTopic(topic, Optional.of(partitions), Optional.empty())
                    .configs(Map.of(
                            "retention.ms", "-1",
                            "retention.bytes", "-1",
                            "cleanup.policy", "delete",
                            // A letter grows by the headers of its refusals.
                            "max.message.bytes", String.valueOf(GroupMember.MOST_BYTES)));
            try {
                admin.createTopics(List.of(parking)).all().get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof TopicExistsException) {
                    return; // another run was faster
                }
                throw new ToolException(
                        "the topic " + topic + " for letters that are not written cannot be created: "
                                + e.getCause().getMessage() + "; create it, or name another one with --parking",
                        e.getCause());
            }
        }
    }

    private <T> T ask(KafkaFuture<T> answer) throws ToolException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw refusal(e);
        }
    }

    private ToolException refusal(ExecutionException e) {
        return refusal(group, e);
    }

    private static ToolException refusal(String group, ExecutionException e) {
        return new ToolException(
                "Kafka refuses for the consumer group " + group + ": "
                        + e.getCause().getMessage(),
                e.getCause());
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
