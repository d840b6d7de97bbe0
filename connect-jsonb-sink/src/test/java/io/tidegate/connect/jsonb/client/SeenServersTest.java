package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.ServerSight;
import org.junit.jupiter.api.Test;

final class SeenServersTest {
    private static final ServerIdentity FIRST = new ServerIdentity("00000001", 100);
    private static final ServerIdentity RESTARTED = new ServerIdentity("00000001", 200);
    private static final ServerIdentity PROMOTED = new ServerIdentity("00000002", 50);

    private final SeenServers seen = new SeenServers(10);

    @Test
    void theFirstServerChangesNothing() {
        assertThat(seen.sight()).isEqualTo(new ServerSight(0, 10, 10));
        assertThat(seen.answered(FIRST, 20)).isFalse();
        assertThat(seen.answered(FIRST, 30)).isFalse();

        assertThat(seen.sight()).isEqualTo(new ServerSight(0, 10, 30));
    }

    @Test
    void aRestartedOrAPromotedServerIsAnotherOne() {
        seen.answered(FIRST, 20);
        assertThat(seen.answered(RESTARTED, 30)).isTrue();
        assertThat(seen.sight()).isEqualTo(new ServerSight(1, 20, 30));
        assertThat(seen.answered(PROMOTED, 40)).isTrue();

        assertThat(seen.sight()).isEqualTo(new ServerSight(2, 30, 40));
        assertThat(seen.present()).contains(PROMOTED);
    }

    /** Two servers behind one address, and an old primary that nobody has stopped. */
    @Test
    void aServerThatWasSeenBeforeTakesNobodysPlaceAndConfirmsNothing() {
        seen.answered(FIRST, 20);
        seen.answered(PROMOTED, 30);

        assertThat(seen.answered(FIRST, 40)).isFalse();

        assertThat(seen.sight()).isEqualTo(new ServerSight(1, 20, 30));
        assertThat(seen.present()).contains(PROMOTED);
    }

    @Test
    void thePresentServerIsKnownAmongManyEarlierOnes() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(seen.answered(new ServerIdentity("00000001", i), i)).isEqualTo(i > 0);
        }

        assertThat(seen.answered(new ServerIdentity("00000001", 999), 1_000)).isFalse();
        assertThat(seen.sight()).isEqualTo(new ServerSight(999, 998, 1_000));
    }
}
