package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SeenServersTest {
    private static final ServerIdentity FIRST = new ServerIdentity("00000001", 100);
    private static final ServerIdentity RESTARTED = new ServerIdentity("00000001", 200);
    private static final ServerIdentity PROMOTED = new ServerIdentity("00000002", 50);

    private final SeenServers seen = new SeenServers();

    @Test
    void theFirstServerChangesNothing() {
        assertThat(seen.answered(FIRST)).isFalse();
        assertThat(seen.answered(FIRST)).isFalse();

        assertThat(seen.changes()).isZero();
    }

    @Test
    void aRestartedOrAPromotedServerIsAnotherOne() {
        seen.answered(FIRST);
        assertThat(seen.answered(RESTARTED)).isTrue();
        assertThat(seen.answered(PROMOTED)).isTrue();

        assertThat(seen.changes()).isEqualTo(2);
        assertThat(seen.appearanceOf(PROMOTED)).hasValue(3);
    }

    /** Two servers behind one address, and an old primary that nobody has stopped. */
    @Test
    void aServerThatWasSeenBeforeTakesNobodysPlaceAndConfirmsNothing() {
        seen.answered(FIRST);
        seen.answered(PROMOTED);

        assertThat(seen.answered(FIRST)).isFalse();

        assertThat(seen.changes()).isEqualTo(1);
        assertThat(seen.appearanceOf(FIRST)).isEmpty();
        assertThat(seen.appearanceOf(PROMOTED)).hasValue(2);
    }

    @Test
    void thePresentServerIsKnownAmongManyEarlierOnes() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(seen.answered(new ServerIdentity("00000001", i))).isEqualTo(i > 0);
        }

        assertThat(seen.answered(new ServerIdentity("00000001", 999))).isFalse();
        assertThat(seen.changes()).isEqualTo(999);
    }
}
