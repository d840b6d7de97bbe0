package io.tidegate.connect.tools.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class PositionTest {
    private static final TopicPartition FIRST = new TopicPartition("dlq", 0);
    private static final TopicPartition SECOND = new TopicPartition("dlq", 1);

    @Test
    void isReadAsItWasCommitted() throws ToolException {
        Position writing = Position.at(3).unsureTo(9);

        assertThat(Position.of(writing.committed("id tides"), "id tides", FIRST))
                .isEqualTo(writing);
        assertThat(Position.at(9).unsureTo(3)).isEqualTo(Position.at(9));
    }

    @Test
    void anOffsetThatAUserHasSetHasNothingInDoubt() throws ToolException {
        assertThat(Position.of(new OffsetAndMetadata(4), "id tides", FIRST)).isEqualTo(Position.at(4));
    }

    @Test
    void offsetsOfAnEarlierTopicOfOtherConnectorsAndOfOtherProgramsAreRefused() {
        OffsetAndMetadata earlier = Position.at(3).committed("earlier tides");
        assertThatThrownBy(() -> Position.of(earlier, "id tides", FIRST))
                .hasMessageContaining("an earlier topic of this name");
        OffsetAndMetadata other = Position.at(3).committed("id winds");
        assertThatThrownBy(() -> Position.of(other, "id tides", FIRST))
                .hasMessageContaining("another connector's letters");
        assertThatThrownBy(() -> Position.of(new OffsetAndMetadata(3, "x"), "id tides", FIRST))
                .hasMessageContaining("offsets of another program");
    }

    @Test
    void onlyARedriveOfTheConnectorsLettersMayHaveWrittenThem() {
        LetterReaders readers = new LetterReaders();
        readers.add("tidegate-redrive-a", FIRST, Position.at(2).unsureTo(4).committed("id tides"), "id tides");
        readers.add("tidegate-redrive-b", FIRST, Position.at(9).committed("id winds"), "id tides");
        readers.add("connect-archive", FIRST, new OffsetAndMetadata(6), "id tides");

        assertThat(readers.isDoubtful(letter(3))).isTrue();
        assertThat(readers.isDoubtful(letter(4))).isFalse();
        assertThat(readers.connectors(letter(5))).containsExactly("connect-archive");
        assertThat(readers.connectors(letter(6))).isEmpty();
        assertThat(LetterReaders.writes("alarms")).isFalse();
    }

    private static ConsumerRecord<byte[], byte[]> letter(long offset) {
        return new ConsumerRecord<>(FIRST.topic(), FIRST.partition(), offset, new byte[0], new byte[0]);
    }

    private static Subscription member(int generation, TopicPartition... owned) {
        return new Subscription(List.of("dlq"), ByteBuffer.allocate(0), List.of(owned), generation, Optional.empty());
    }

    @Test
    void theHolderKeepsAllPartitions() {
        PartitionInfo first = new PartitionInfo("dlq", 0, Node.noNode(), new Node[0], new Node[0]);
        PartitionInfo second = new PartitionInfo("dlq", 1, Node.noNode(), new Node[0], new Node[0]);
        Cluster cluster = new Cluster("c", List.of(), List.of(first, second), Set.of(), Set.of());

        Map<String, Subscription> joined = Map.of("a", member(-1), "b", member(4, FIRST, SECOND), "c", member(-1));
        var assigned =
                new OneMember().assign(cluster, new GroupSubscription(joined)).groupAssignment();
        assertThat(assigned.get("b").partitions()).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(assigned.get("a").partitions()).isEmpty();
        assertThat(assigned.get("c").partitions()).isEmpty();

        Map<String, Subscription> atOnce = Map.of("a", member(-1), "c", member(-1));
        assigned =
                new OneMember().assign(cluster, new GroupSubscription(atOnce)).groupAssignment();
        assertThat(assigned.get("a").partitions()).hasSize(2);
        assertThat(assigned.get("c").partitions()).isEmpty();
    }
}
