package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WrittenHistoryTest {
    private final WrittenHistory history = new WrittenHistory(10, 0);

    @Test
    void tellsWhatWasWrittenBeforeATime() {
        history.add(20, 100);
        history.add(30, 200);

        assertThat(history.at(99)).isEqualTo(10);
        assertThat(history.at(100)).isEqualTo(20);
        assertThat(history.at(199)).isEqualTo(20);
        assertThat(history.at(500)).isEqualTo(30);
        assertThat(history.at(-1)).as("of earlier times nothing is known").isEqualTo(10);
    }

    @Test
    void keepsWhatIsNeededForATimeAndForgetsTheRest() {
        history.add(20, 100);
        history.add(30, 200);
        history.add(40, 300);

        history.forgetBefore(250);

        assertThat(history.at(250)).isEqualTo(30);
        assertThat(history.at(300)).isEqualTo(40);
        assertThat(history.earliest()).isEqualTo(30);
    }

    @Test
    void forgetsWhatIsWrittenAgain() {
        history.add(20, 100);
        history.add(30, 200);

        history.add(15, 300);

        assertThat(history.at(250)).isEqualTo(10);
        assertThat(history.at(300)).isEqualTo(15);
    }

    @Test
    void isBoundedAndThenReachesFurtherBackThanAsked() {
        for (int i = 1; i <= 10_000; i++) {
            history.add(10 + i, i);
            assertThat(history.size()).isLessThanOrEqualTo(WrittenHistory.MOST);
        }

        assertThat(history.earliest()).isEqualTo(10);
        assertThat(history.at(10_000)).isEqualTo(10_010);
        for (int since = 1; since <= 10_000; since++) {
            assertThat(history.at(since)).isLessThanOrEqualTo(10 + since);
        }
    }
}
