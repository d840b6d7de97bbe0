package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.document;
import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LaneAssignerTest {
    private static final int LANES = 3;

    private final List<Lane> lanes =
            IntStream.range(0, LANES).mapToObj(LaneAssignerTest::lane).toList();

    private final Progress progress = Records.progress(0);

    private static LaneSettings settings(Ordering ordering) {
        return new LaneSettings(2, 1 << 20, Duration.ZERO, LANES, ordering);
    }

    private static Lane lane(int number) {
        FakeWriter writer = new FakeWriter();
        Clock clock = new TestClock();
        RetryPolicy policy = new RetryPolicy(
                new RetrySettings(RetrySettings.UNLIMITED, Duration.ZERO, Duration.ZERO, Duration.ZERO));
        DeadLetters letters = new DeadLetters(Optional.empty(), true, clock);
        Delivery delivery = new Delivery(
                writer,
                new Delivery.Rules("memory", false, false, ErrorOverrides.NONE),
                policy,
                letters,
                clock,
                () -> 0,
                new PostponedDestinations("memory", clock),
                AttemptObserver.NONE);
        return new Lane(number, settings(Ordering.PARTITION), false, writer, delivery, clock, work -> {}, bytes -> {});
    }

    private LaneAssigner choice(Ordering ordering) {
        return new LaneAssigner(settings(ordering), lanes);
    }

    @Test
    void keepsAPartitionToOneLane() {
        LaneAssigner choice = choice(Ordering.PARTITION);

        assertThat(choice.laneOf(document(progress, 2, "b"))).isEqualTo(choice.laneOf(document(progress, 1, "a")));
    }

    @Test
    void keepsAKeyToOneLaneWhateverItsPartition() {
        LaneAssigner choice = choice(Ordering.KEY);
        Progress first = Records.progress(0);
        Progress second = new Progress(Records.partition(1), 1, LANES);
        Set<Integer> used = new HashSet<>();

        for (int key = 0; key < 50; key++) {
            int lane = choice.laneOf(document(first, key, "key-" + key));
            assertThat(choice.laneOf(document(second, key, "key-" + key))).isEqualTo(lane);
            used.add(lane);
        }

        assertThat(used).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(choice.laneOf(document(second, 99))).isEqualTo(1); // no key: the partition's
    }

    @Test
    void givesABatchToEachLaneInTurnWhereNothingIsInOrder() {
        LaneAssigner choice = choice(Ordering.NONE);

        assertThat(IntStream.range(0, 8)
                        .mapToObj(offset -> choice.laneOf(document(progress, offset)))
                        .toList())
                .containsExactly(0, 0, 1, 1, 2, 2, 0, 0);
    }

    @Test
    void prefersTheLaneThatHasLeastToDoWhereNothingIsInOrder() {
        LaneAssigner choice = choice(Ordering.NONE);
        lanes.get(0).enqueue(documents(progress, 1, 5));
        lanes.get(1).enqueue(documents(progress, 6, 9));
        lanes.get(2).enqueue(documents(progress, 15, 2));

        assertThat(IntStream.range(0, 6)
                        .mapToObj(offset -> choice.laneOf(document(progress, offset)))
                        .toList())
                .containsExactly(0, 0, 2, 2, 2, 2);
    }
}
