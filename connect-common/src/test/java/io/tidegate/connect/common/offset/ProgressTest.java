package io.tidegate.connect.common.offset;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.testing.Records;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    @Test
    void hasNothingPendingWhenNothingWasAccepted() {
        assertThat(Records.progress(0).firstPending()).isEmpty();
    }

    @Test
    void isPendingFromTheFirstAcceptedOffsetOn() {
        Progress progress = Records.progress(0);

        progress.accept(0, 17);
        progress.accept(0, 20);

        assertThat(progress.firstPending()).hasValue(17);
    }

    @Test
    void advancesWithWhatIsWritten() {
        Progress progress = Records.progress(0);
        progress.accept(0, 17);
        progress.accept(0, 20);

        progress.acknowledge(0, 17);
        assertThat(progress.firstPending()).hasValue(18);

        progress.acknowledge(0, 20);
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void forgetsAGapThatWasNothingToWrite() {
        Progress progress = Records.progress(0);
        progress.accept(0, 1);
        progress.acknowledge(0, 1);

        progress.accept(0, 100);

        assertThat(progress.firstPending()).hasValue(100);
    }

    @Test
    void isPendingFromWhatIsHeldBackOnWhateverIsAcknowledged() {
        Progress progress = new Progress(Records.partition(0), 2);
        progress.accept(0, 1);
        progress.accept(0, 9);
        progress.postpone(0, 4);
        progress.acknowledge(0, 9);
        assertThat(progress.firstPending()).hasValue(4);

        progress.accept(1, 10);
        progress.acknowledge(1, 10);
        progress.accept(0, 11);
        assertThat(progress.firstPending()).hasValue(4);

        progress.acknowledge(0, 11);
        progress.postponeNothing(0);
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void waitsForTheSlowestLane() {
        Progress progress = new Progress(Records.partition(0), 2);
        progress.accept(0, 1);
        progress.accept(1, 2);
        progress.accept(0, 3);

        progress.acknowledge(1, 2);
        assertThat(progress.firstPending()).hasValue(1);

        progress.acknowledge(0, 1);
        assertThat(progress.firstPending()).hasValue(2); // the lane holds nothing at 2, but cannot know that

        progress.acknowledge(0, 3);
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void isNeverAheadOfALaneHoweverTheyInterleave() {
        Random random = new Random(7);
        int lanes = 3;
        Progress progress = new Progress(Records.partition(0), lanes);
        TreeSet<Long> pending = new TreeSet<>();
        long[][] held = new long[lanes][1_000];
        int[] given = new int[lanes];
        int[] done = new int[lanes];
        long offset = 0;
        for (int step = 0; step < 1_500; step++) {
            int lane = random.nextInt(lanes);
            if (random.nextBoolean() && given[lane] < held[lane].length) {
                offset += 1 + random.nextInt(3);
                progress.accept(lane, offset);
                pending.add(offset);
                held[lane][given[lane]++] = offset;
            } else if (done[lane] < given[lane]) {
                long written = held[lane][done[lane]++];
                progress.acknowledge(lane, written);
                pending.remove(written);
            }
            if (pending.isEmpty()) {
                assertThat(progress.firstPending()).isEmpty();
            } else {
                assertThat(progress.firstPending().orElseThrow()).isLessThanOrEqualTo(pending.first());
            }
        }
    }

    @Test
    void isSetBackByWhatWasTakenBefore() {
        Progress progress = Records.progress(0);
        assertThat(progress.isSetBackTo(0)).isFalse();

        progress.admit(7);

        assertThat(progress.isSetBackTo(7)).isTrue();
        assertThat(progress.isSetBackTo(8)).isFalse();
    }

    @Test
    void isRevokedByTheLaneThatGivesItUp() {
        Progress progress = Records.progress(0);

        progress.giveUp(new Progress.GivenUp(7, false));

        assertThat(progress.isRevoked()).isTrue();
        assertThat(progress.givenUp()).contains(new Progress.GivenUp(7, false));
    }

    @Test
    void whatIsAdmittedIsPendingUntilItIsMapped() {
        Progress progress = Records.progress(0);
        progress.admit(7);
        progress.admit(9);
        assertThat(progress.firstPending()).hasValue(7);

        progress.mapped(7);
        assertThat(progress.firstPending().orElseThrow()).isBetween(8L, 9L);
        progress.accept(0, 9);
        progress.mapped(9);
        assertThat(progress.firstPending()).hasValue(9);
        progress.acknowledge(0, 9);
        assertThat(progress.firstPending()).isEmpty();

        progress.admit(20);
        assertThat(progress.firstPending()).hasValue(20);
        progress.mapped(20); // it was skipped
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void remembersTheFirstThatItAccepted() {
        Progress progress = Records.progress(0);
        assertThat(progress.firstAccepted()).isEmpty();

        progress.admit(7);
        assertThat(progress.firstAccepted()).hasValue(7);
        progress.accept(0, 7);
        progress.mapped(7);
        progress.accept(0, 9);

        assertThat(progress.firstAccepted()).hasValue(7);
    }

    @Test
    void staysRevoked() {
        Progress progress = Records.progress(3);

        progress.revoke();

        assertThat(progress.isRevoked()).isTrue();
        assertThat(progress).hasToString("tides-3");
    }
}
