package io.tidegate.connect.jsonb.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.ServerCheck.Kind;
import org.junit.jupiter.api.Test;

final class ConnectionSlotsTest {
    @Test
    void hasRoomForAPoolThatFits() {
        assertThat(new ConnectionSlots(97, 4, 0).findings(4)).isEmpty();
    }

    @Test
    void countsWhatOurWorkersHaveAlready() {
        assertThat(new ConnectionSlots(97, 1, 3).findings(4)).isEmpty();
    }

    @Test
    void tellsWhatIsLeftWhenOthersHaveTheRest() {
        assertThat(new ConnectionSlots(97, 1, 2).findings(4)).hasValueSatisfying(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(finding.problem().key()).isEqualTo("connection.pool.max.size");
            assertThat(finding.problem().message())
                    .startsWith("the server has 1 of 97 connections left for this role, and 2 are in use by Tidegate's"
                            + " workers already. Each worker opens up to connection.pool.max.size=4");
        });
    }

    @Test
    void knowsALimitThatNoWaitingHelpsAgainst() {
        assertThat(new ConnectionSlots(3, 3, 0).findings(4))
                .hasValueSatisfying(finding -> assertThat(finding.kind()).isEqualTo(Kind.WRONG));
    }
}
