package io.tidegate.connect.tools.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class StartPointTest {
    @Test
    void readsEveryForm() {
        assertThat(StartPoint.parse("earliest")).isEqualTo(new StartPoint.Earliest());
        assertThat(StartPoint.parse("latest")).isEqualTo(new StartPoint.Latest());
        assertThat(StartPoint.parse("42")).isEqualTo(new StartPoint.AtOffset(42));
        assertThat(StartPoint.parse("2026-01-31"))
                .isEqualTo(new StartPoint.AtTime(Instant.parse("2026-01-31T00:00:00Z")));
        assertThat(StartPoint.parse("2026-01-31T08:00:00Z"))
                .isEqualTo(new StartPoint.AtTime(Instant.parse("2026-01-31T08:00:00Z")));
    }

    @Test
    void saysWhatItTakes() {
        for (String wrong : new String[] {"", "-1", "yesterday", "2026-31-01", "2026-01-31T08:00"}) {
            assertThatThrownBy(() -> StartPoint.parse(wrong))
                    .hasMessageContaining("is not earliest, latest, an offset");
        }
    }

    @Test
    void theLatestRecordsAreSharedBetweenPartitions() {
        TopicPartition few = new TopicPartition("t", 0);
        TopicPartition many = new TopicPartition("t", 1);
        TopicPartition none = new TopicPartition("t", 2);

        assertThat(TopicReader.last(
                        100,
                        Map.of(
                                few, new OffsetRange(5, 15),
                                many, new OffsetRange(0, 1_000),
                                none, new OffsetRange(7, 7))))
                .isEqualTo(Map.of(
                        few, new OffsetRange(5, 15),
                        many, new OffsetRange(910, 1_000),
                        none, new OffsetRange(7, 7)));
    }
}
