package io.tidegate.connect.common.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class OwnedOffsetsTest {
    /** Knows no partition, and remembers which were claimed. */
    private static final class EmptyStore implements OffsetStore<RuntimeException> {
        private final List<TopicPartition> claimed = new ArrayList<>();

        @Override
        public Map<TopicPartition, StoredOffset> claimKnown(Collection<TopicPartition> partitions) {
            claimed.addAll(partitions);
            return Map.of();
        }

        @Override
        public Map<TopicPartition, StoredOffset> claim(Map<TopicPartition, Long> firstOffsets) {
            throw new AssertionError();
        }

        @Override
        public Map<TopicPartition, StoredOffset> read(Collection<TopicPartition> partitions) {
            throw new AssertionError();
        }

        @Override
        public int raise(Collection<Move> moves) {
            throw new AssertionError();
        }
    }

    /** As while a claim waits for a connection. The next owner would lose the partition again. */
    @Test
    void claimsNothingThatWasRevokedMeanwhile() {
        Progress revoked = Records.progress(0);
        Progress ours = Records.progress(1);
        EmptyStore store = new EmptyStore();
        revoked.revoke();

        assertThat(new OwnedOffsets().claim(store, List.of(revoked, ours))).containsOnlyKeys(ours);
        assertThat(store.claimed).containsExactly(ours.partition());
        assertThat(new OwnedOffsets().claim(store, List.of(revoked))).isEmpty();
    }
}
