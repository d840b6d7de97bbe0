package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class BackpressureTest {
    private final Set<TopicPartition> both = Set.of(partition(0), partition(1));
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final AtomicLong mark = new AtomicLong(1_000);
    private final AtomicLong postponed = new AtomicLong();
    private final Backpressure backpressure = new Backpressure(context, mark::get, postponed::get);

    @Test
    void pausesEveryPartitionAboveTheMark() {
        context.assign(both);
        backpressure.hold(1_000);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEmpty();

        backpressure.hold(1);
        backpressure.pauseOrResume(both);

        assertThat(context.paused()).isEqualTo(both);
        assertThat(backpressure.isPaused()).isTrue();
    }

    @Test
    void resumesAtHalfOfTheMark() {
        context.assign(both);
        backpressure.hold(1_001);
        backpressure.pauseOrResume(both);

        backpressure.release(500);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        backpressure.release(1);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
        assertThat(backpressure.isPaused()).isFalse();
    }

    @Test
    void pausesPartitionsThatAreAssignedWhileItIsPaused() {
        context.assign(Set.of(partition(0)));
        backpressure.hold(1_001);
        backpressure.pauseOrResume(Set.of(partition(0)));

        context.assign(Set.of(partition(1)));
        backpressure.assigned(Set.of(partition(1)));

        assertThat(context.paused()).isEqualTo(both);
    }

    /** A rebalance takes all partitions away, what is held goes with them, and Connect calls {@code put} before some come back. */
    @Test
    void resumesPartitionsThatWerePausedWhenTheyWereTakenAway() {
        context.assign(both);
        backpressure.hold(1_001);
        backpressure.pauseOrResume(both);
        context.revoke(both);
        backpressure.release(1_001);
        backpressure.pauseOrResume(Set.of());

        context.assign(Set.of(partition(1)));
        assertThat(context.paused()).containsExactly(partition(1));
        backpressure.assigned(Set.of(partition(1)));

        assertThat(context.paused()).isEmpty();
    }

    @Test
    void leavesNewPartitionsAloneWhileThereIsRoom() {
        context.assign(both);

        backpressure.assigned(both);

        assertThat(context.paused()).isEmpty();
    }

    /** Else what waits for one destination would keep the partitions paused though there is room for others. */
    @Test
    void resumesAtHalfOfWhatIsLeftBesideDocumentsHeldBack() {
        context.assign(both);
        postponed.set(600);
        backpressure.hold(1_001);
        backpressure.pauseOrResume(both);

        backpressure.release(200);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        backpressure.release(1);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }

    @Test
    void followsAMarkThatMoves() {
        context.assign(both);
        backpressure.hold(700);
        mark.set(600);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        mark.set(1_400);
        backpressure.pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }
}
