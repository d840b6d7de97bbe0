package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntPredicate;
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

    /**
     * Sends 10,000 groups as forecast.
     *
     * @param meetsRow whether the group with this number meets an existing row
     * @return how many plain statements failed, and how many groups looked for existing rows that were not there
     */
    private Wasted send(IntPredicate meetsRow) {
        int failed = 0;
        int looked = 0;
        for (int group = 0; group < 10_000; group++) {
            boolean isPlain = !forecast.isLikely();
            if (isPlain && meetsRow.test(group)) {
                failed++;
                forecast.missed();
            } else {
                looked += isPlain || meetsRow.test(group) ? 0 : 1;
                forecast.written();
            }
        }
        return new Wasted(failed, looked);
    }

    private record Wasted(int failed, int looked) {}

    @Test
    void wastesLittleWithEveryWorkload() {
        Random random = new Random(1);
        boolean[] half = new boolean[10_000];
        for (int i = 0; i < half.length; i++) {
            half[i] = random.nextBoolean();
        }

        assertThat(send(group -> false)).isEqualTo(new Wasted(0, 0));
        assertThat(send(group -> group % 100 == 0)).isEqualTo(new Wasted(100, 0));
        assertThat(send(group -> true).failed()).isLessThan(25);
        assertThat(send(group -> group > 1_022).failed()).isLessThan(25);
        assertThat(send(group -> group < 5_000).looked()).isLessThan(1_022);
        Wasted mixed = send(group -> half[group]);
        assertThat(mixed.failed() + mixed.looked()).isLessThan(6_000);
    }
}
