package io.tidegate.connect.common.lane;

import static io.tidegate.connect.common.testing.Records.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LaneGateTest {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Progress revoked = Records.progress(1);
    private final Document theirs = document(revoked, 1);
    private final Document ours = document(Records.progress(0), 2);
    private final TestClock clock = new TestClock();
    private final LaneMonitor monitor = new LaneMonitor(work -> {}, () -> {});
    private final LaneGate gate = new LaneGate(clock, monitor);

    @Test
    void passesABatchOnAsItIsWhileNothingIsRevoked() {
        List<Document> batch = List.of(theirs, ours);

        assertThat(gate.enter(batch).orElseThrow()).isSameAs(batch);
    }

    @Test
    void leavesRevokedDocumentsOut() {
        revoked.revoke();

        assertThat(gate.enter(List.of(theirs, ours)).orElseThrow()).containsExactly(ours);
        assertThat(gate.cancelRevoked(() -> {
                    throw new AssertionError();
                }))
                .isFalse();
    }

    @Test
    void waitsForAnAttemptWithRevokedDocumentsNoLongerThanTheDeadline() throws InterruptedException {
        gate.enter(List.of(theirs, ours));
        revoked.revoke();
        long deadline = clock.nanoTime() + PAUSE.toNanos();

        assertThat(gate.cancelRevoked(
                        () -> assertThat(Thread.holdsLock(monitor)).isTrue()))
                .isTrue();
        assertThat(gate.awaitRevoked(deadline)).isFalse();
        assertThat(clock.nanoTime()).isEqualTo(deadline);

        gate.leave();
        assertThat(gate.awaitRevoked(deadline)).isTrue();
    }

    @Test
    void pausesUntilAPartitionIsRevoked() throws InterruptedException {
        long before = clock.nanoTime();
        assertThat(gate.pause(PAUSE)).isTrue();
        assertThat(clock.nanoTime() - before).isEqualTo(PAUSE.toNanos());

        gate.revoked();

        assertThat(gate.pause(PAUSE)).isTrue();
        assertThat(clock.nanoTime() - before).isEqualTo(PAUSE.toNanos());
    }

    @Test
    void doesNotSpinWhileItAwaitsSomethingAlthoughAPartitionIsRevoked() throws InterruptedException {
        long before = clock.nanoTime();
        gate.revoked();
        Deque<Boolean> answers = new ArrayDeque<>(List.of(false, false, true));

        assertThat(gate.await(answers::remove)).isTrue();

        assertThat(clock.nanoTime() - before).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void letsNothingInOnceItIsStopped() throws InterruptedException {
        gate.stop();

        assertThat(gate.enter(List.of(ours))).isEmpty();
        assertThat(gate.pause(PAUSE)).isFalse();
        assertThat(gate.await(() -> false)).isFalse();
    }
}
