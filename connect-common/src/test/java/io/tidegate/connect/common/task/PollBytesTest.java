package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PollBytesTest {
    private final TestClock clock = new TestClock();
    private final PollBytes polls = new PollBytes(clock);

    @Test
    void isTheMostOfTheLastMinutes() {
        polls.brought(900, false);
        polls.brought(100, false);
        assertThat(polls.most()).isEqualTo(900);

        clock.advance(PollBytes.WINDOW);
        polls.brought(200, false);
        assertThat(polls.most()).isEqualTo(900);

        clock.advance(PollBytes.WINDOW);
        polls.brought(100, false);
        assertThat(polls.most()).isEqualTo(200);
    }

    @Test
    void staysWhileNothingComes() {
        polls.brought(900, false);
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofHours(1));
            polls.brought(0, false);
        }

        polls.brought(100, false);
        assertThat(polls.most()).isEqualTo(900);
    }

    /** Else what one large poll brought would fill the room of others. */
    @Test
    void staysWhileDocumentsArePostponed() {
        polls.brought(900, false);
        for (int i = 0; i < 10; i++) {
            clock.advance(PollBytes.WINDOW);
            polls.brought(100, true);
        }
        assertThat(polls.most()).isEqualTo(900);
    }
}
