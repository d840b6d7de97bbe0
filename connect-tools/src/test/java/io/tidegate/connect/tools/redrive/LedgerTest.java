package io.tidegate.connect.tools.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.tools.command.ToolException;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static final TopicPartition PARTITION = new TopicPartition("dlq", 0);

    private static Ledger ledger(Map<TopicPartition, OffsetAndMetadata> stored) throws ToolException {
        return Ledger.of(Map.of(PARTITION, 100L), stored);
    }

    @Test
    void remembersWhatIsDoneAndWhatIsInDoubt() throws ToolException {
        Ledger before = ledger(Map.of());
        for (long offset = 100; offset < 110; offset++) {
            before.begin(PARTITION, offset);
        }
        for (long offset : new long[] {100, 101, 103}) {
            before.done(PARTITION, offset);
        }
        before.stays(PARTITION, 102);

        Map<TopicPartition, OffsetAndMetadata> stored = before.stored();
        Ledger after = ledger(stored);

        assertThat(stored.get(PARTITION).offset()).as("all below it are done").isEqualTo(102);
        assertThat(after.isDone(PARTITION, 50)).isTrue();
        assertThat(after.isDone(PARTITION, 101)).isTrue();
        assertThat(after.isDone(PARTITION, 102)).isFalse();
        assertThat(after.isUnsure(PARTITION, 102)).isFalse();
        assertThat(after.isDone(PARTITION, 103)).isTrue();
        assertThat(after.isUnsure(PARTITION, 104)).isTrue();
        assertThat(after.isDone(PARTITION, 110)).isFalse();
        after.done(PARTITION, 102);
        assertThat(after.stored().get(PARTITION).offset()).isEqualTo(104);
    }

    @Test
    void oneLetterThatStaysCostsNothing() throws ToolException {
        Ledger ledger = ledger(Map.of());
        for (long offset = 101; offset < 1_000_000; offset++) {
            ledger.done(PARTITION, offset);
        }

        assertThat(ledger.stored().get(PARTITION).metadata().length()).isLessThan(1_000);
    }

    @Test
    void refusesWhatKafkaWouldNotStore() {
        Random random = new Random(23);
        assertThatThrownBy(() -> {
                    Ledger ledger = ledger(Map.of());
                    for (long offset = 101; offset < 100_000; offset++) {
                        if (random.nextBoolean()) {
                            ledger.done(PARTITION, offset);
                        }
                    }
                    ledger.stored();
                })
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("too scattered in dlq-0")
                .hasMessageContaining("--parking");
    }

    @Test
    void refusesOffsetsOfAnotherProgram() {
        assertThatThrownBy(() -> ledger(Map.of(PARTITION, new OffsetAndMetadata(120))))
                .hasMessageContaining("use another --group");
    }
}
