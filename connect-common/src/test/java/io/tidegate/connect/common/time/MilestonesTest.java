package io.tidegate.connect.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class MilestonesTest {
    @Test
    void theFirstTheTenthAndTheHundredthAreLogged() {
        assertThat(LongStream.rangeClosed(1, 1_500).filter(count -> Milestones.isPassed(count - 1, count)))
                .containsExactly(1L, 10L, 100L, 1_000L);
        assertThat(Milestones.isPassed(9, 12)).isTrue();
        assertThat(Milestones.isPassed(10, 99)).isFalse();
        assertThat(Milestones.isPassed(0, 0)).isFalse();
        assertThat(Milestones.isPassed(Long.MAX_VALUE - 1, Long.MAX_VALUE)).isFalse();
    }
}
