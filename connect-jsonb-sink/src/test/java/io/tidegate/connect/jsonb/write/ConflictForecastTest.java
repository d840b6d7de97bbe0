package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ConflictForecastTest {
    private final ConflictForecast forecast = new ConflictForecast();

    /** How many groups look for existing rows at once before the next is written plainly. */
    private int groupsUntilPlain() {
        int groups = 0;
        while (forecast.isLikely()) {
            forecast.written();
            groups++;
        }
        return groups;
    }

    @Test
    void oneConflictIsTakenForARedelivery() {
        assertThat(groupsUntilPlain()).isZero();
        forecast.missed();

        assertThat(groupsUntilPlain()).isZero();
    }

    @Test
    void everyConflictInARowDoublesTheGroupsThatLookFirst() {
        forecast.missed();
        for (int groups : new int[] {2, 6, 14, 30, 62, 126, 254, 510, 1_022, 1_022}) {
            forecast.missed();
            assertThat(groupsUntilPlain()).isEqualTo(groups);
        }
    }

    @Test
    void aPlainGroupThatMeetsNoRowForgetsTheConflicts() {
        forecast.missed();
        forecast.missed();
        assertThat(groupsUntilPlain()).isEqualTo(2);
        forecast.written();
        forecast.missed();

        assertThat(groupsUntilPlain()).isZero();
    }
}
