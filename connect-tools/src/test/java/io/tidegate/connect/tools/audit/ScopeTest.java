package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.audit.Scope.Stretch;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ScopeTest {
    private static final TopicPartition FIRST = new TopicPartition("tides", 0);
    private static final TopicPartition SECOND = new TopicPartition("tides", 1);

    private static List<String> parts(long least, Stretch first, Stretch second) {
        return new Scope(Map.of(FIRST, first, SECOND, second), false, false)
                .parts(least).stream()
                        .flatMap(part -> part.stretches().entrySet().stream())
                        .map(part -> part.getKey().partition() + ": "
                                + part.getValue().from() + " to "
                                + part.getValue().to() + (part.getValue().isFollowed() ? ", followed" : ""))
                        .toList();
    }

    @Test
    void isDividedByPartitionsAndOffsets() {
        assertThat(parts(10, new Stretch(5, 7, 30, 40, false), new Stretch(0, 0, 10, 10, false)))
                .containsExactly("0: 7 to 17, followed", "0: 17 to 27, followed", "0: 27 to 30", "1: 0 to 10");
        assertThat(parts(10, new Stretch(5, 30, 30, 40, false), new Stretch(0, 0, 0, 0, false)))
                .isEmpty();
    }

    @Test
    void hasAboutTwentyPartsHoweverLargeItIs() {
        assertThat(parts(10, new Stretch(0, 0, 1_000_000, 1_000_000, false), new Stretch(0, 0, 1, 1, false)))
                .hasSize(21);
    }
}
