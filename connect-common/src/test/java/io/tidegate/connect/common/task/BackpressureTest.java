package io.tidegate.connect.common.task;

import static io.tidegate.connect.common.testing.Records.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidegate.connect.common.testing.FakeSinkTaskContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class BackpressureTest {
    private final Set<TopicPartition> both = Set.of(partition(0), partition(1));
    private final FakeSinkTaskContext context = new FakeSinkTaskContext();
    private final AtomicLong mark = new AtomicLong(1_000);
    private final AtomicLong unmapped = new AtomicLong();
    private final AtomicLong postponed = new AtomicLong();
    private final AtomicLong poll = new AtomicLong();
    private final AtomicLong withFree = new AtomicLong(Long.MAX_VALUE / 2);
    private final Backpressure backpressure =
            new Backpressure(context, mark::get, unmapped::get, postponed::get, poll::get, withFree::get);

    private Set<TopicPartition> postponing = Set.of();

    private void pauseOrResume(Set<TopicPartition> assigned) {
        backpressure.pauseOrResume(() -> assigned, () -> postponing);
    }

    @Test
    void pausesEveryPartitionAboveTheMark() {
        context.assign(both);
        backpressure.hold(1_000);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();

        backpressure.hold(1);
        pauseOrResume(both);

        assertThat(context.paused()).isEqualTo(both);
        assertThat(backpressure.isPaused()).isTrue();
    }

    /** A task may have thousands of partitions, and this is called with every put. */
    @Test
    void looksAtNoPartitionWhileNothingChanges() {
        backpressure.hold(1_000);

        assertThatCode(() -> backpressure.pauseOrResume(
                        () -> {
                            throw new AssertionError("asked for the partitions");
                        },
                        () -> postponing))
                .doesNotThrowAnyException();
    }

    @Test
    void resumesAtHalfOfTheMark() {
        context.assign(both);
        backpressure.hold(1_001);
        pauseOrResume(both);

        backpressure.release(500);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        backpressure.release(1);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
        assertThat(backpressure.isPaused()).isFalse();
    }

    /** Postponed documents leave room for others, but none can be mapped. */
    @Test
    void staysPausedWhileAnythingCannotBeMapped() {
        context.assign(both);
        unmapped.set(1);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);
        assertThat(backpressure.bytesHeld()).isEqualTo(1);

        backpressure.hold(900);
        postponed.set(900);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        unmapped.set(0);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }

    @Test
    void pausesPartitionsThatAreAssignedWhileItIsPaused() {
        context.assign(Set.of(partition(0)));
        backpressure.hold(1_001);
        pauseOrResume(Set.of(partition(0)));

        context.assign(Set.of(partition(1)));
        backpressure.assigned(Set.of(partition(1)));

        assertThat(context.paused()).isEqualTo(both);
    }

    /** A rebalance takes all partitions away, what is held goes with them, and Connect calls {@code put} before some come back. */
    @Test
    void resumesPartitionsThatWerePausedWhenTheyWereTakenAway() {
        context.assign(both);
        backpressure.hold(1_001);
        pauseOrResume(both);
        context.revoke(both);
        backpressure.release(1_001);
        pauseOrResume(Set.of());

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
        pauseOrResume(both);

        backpressure.release(200);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        backpressure.release(1);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }

    @Test
    void followsAMarkThatMoves() {
        context.assign(both);
        backpressure.hold(700);
        mark.set(600);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        mark.set(1_400);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }

    /** Else one locked table would fill what all of them may hold. */
    @Test
    void pausesPartitionsWhoseDocumentsArePostponedBeforeTheyLeaveNoRoom() {
        context.assign(both);
        postponing = Set.of(partition(0));
        postponed.set(250);
        backpressure.hold(300);
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();

        postponed.set(251);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(postponing);
        assertThat(backpressure.isPaused()).isFalse();

        backpressure.hold(701);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);
        backpressure.release(500);
        pauseOrResume(both);
        assertThat(context.paused()).as("there is room again").isEqualTo(postponing);

        postponed.set(10);
        pauseOrResume(both);
        assertThat(context.paused()).as("some are still postponed").isEqualTo(postponing);
        postponing = Set.of();
        pauseOrResume(both);
        assertThat(context.paused()).isEmpty();
    }

    /** Else one locked table would stop all others of a task whose share of the memory is small. */
    @Test
    void leavesRoomForOthersIfOnePollOfPostponedDocumentsIsMoreThanTheMark() {
        context.assign(both);
        postponing = Set.of(partition(0));
        poll.set(3_000);
        backpressure.hold(6_000);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        postponed.set(6_000);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(postponing);
        assertThat(backpressure.isPaused()).isFalse();

        postponed.set(7_000);
        backpressure.hold(1_001);
        pauseOrResume(both);
        assertThat(context.paused()).as("there is a bound").isEqualTo(both);
    }

    @Test
    void leavesNoRoomForPollsThatTheWorkerDoesNotHave() {
        context.assign(both);
        postponing = Set.of(partition(0));
        poll.set(3_000);
        postponed.set(6_000);
        backpressure.hold(6_000);
        withFree.set(9_000);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(postponing);

        withFree.set(8_999);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);
    }

    /** A task with three partitions, whose records all go to a destination that accepts nothing. */
    private static final class BlockedTask {
        private static final long POLL = 1_500;

        private final FakeSinkTaskContext context = new FakeSinkTaskContext();
        private final Set<TopicPartition> partitions = Set.of(partition(0), partition(1), partition(2));
        private final Set<TopicPartition> postponing = new HashSet<>();
        private final AtomicLong postponed = new AtomicLong();
        private final WorkerMemory.Share memory;
        private final Backpressure backpressure;

        BlockedTask(WorkerMemory worker) {
            memory = worker.join();
            context.assign(partitions);
            backpressure = new Backpressure(
                    context, () -> memory.besides(POLL), () -> 0, postponed::get, () -> POLL, memory::withFree);
        }

        /** All of a poll are of one partition. */
        void poll() {
            partitions.stream()
                    .filter(each -> !context.paused().contains(each))
                    .findFirst()
                    .ifPresent(each -> {
                        backpressure.hold(POLL);
                        pauseOrResume();
                        postponed.addAndGet(POLL);
                        postponing.add(each);
                    });
            pauseOrResume();
        }

        private void pauseOrResume() {
            memory.holds(backpressure.bytesHeld());
            backpressure.pauseOrResume(() -> partitions, () -> Set.copyOf(postponing));
        }
    }

    @Test
    void tasksThatAllWaitForADestinationHoldNoMoreThanTheWorkersPartAndAPollEach() {
        long part = 40_000; // 1,000 for each task
        WorkerMemory worker = new WorkerMemory(part);
        List<BlockedTask> tasks =
                Stream.generate(() -> new BlockedTask(worker)).limit(20).toList();
        for (int i = 0; i < 10; i++) {
            tasks.forEach(BlockedTask::poll);
        }

        long held =
                tasks.stream().mapToLong(each -> each.backpressure.bytesHeld()).sum();
        assertThat(held).isLessThanOrEqualTo(part + tasks.size() * BlockedTask.POLL);
        assertThat(held).as("what fits").isGreaterThan(part - BlockedTask.POLL);
    }

    /** They came before the first of them was postponed. */
    @Test
    void leavesRoomForOthersIfPostponedDocumentsFillAll() {
        context.assign(both);
        postponing = Set.of(partition(0));
        backpressure.hold(1_100);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        postponed.set(1_100);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(postponing);

        backpressure.hold(251);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);

        postponed.set(1_351);
        pauseOrResume(both);
        assertThat(context.paused())
                .as("no more than half of the mark above it")
                .isEqualTo(postponing);
        backpressure.hold(150);
        pauseOrResume(both);
        assertThat(context.paused()).isEqualTo(both);
    }
}
