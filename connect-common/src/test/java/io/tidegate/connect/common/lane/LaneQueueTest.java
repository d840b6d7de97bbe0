package io.tidegate.connect.common.lane;

import static io.tidegate.connect.common.testing.Records.document;
import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LaneQueueTest {
    private static final Duration LINGER = Duration.ofMillis(50);

    private final Progress progress = Records.progress(0);
    private final TestClock clock = new TestClock();
    private final LaneMonitor monitor = new LaneMonitor(work -> {}, () -> {});
    private final LaneQueue queue = new LaneQueue(
            new LaneSettings(4, 200, LINGER, 1, Ordering.PARTITION), new OffsetRequests(monitor), clock, monitor);

    /** How long the queue lets its lane wait for the next batch. */
    private Duration untilBatch() throws InterruptedException {
        long before = clock.nanoTime();
        assertThat(queue.awaitBatch(OptionalLong.empty())).isTrue();
        return Duration.ofNanos(clock.nanoTime() - before);
    }

    @Test
    void lingersFromTheFirstDocumentThatWaits() throws InterruptedException {
        queue.add(documents(progress, 1, 1));
        clock.advance(Duration.ofMillis(20));
        queue.add(documents(progress, 2, 1));

        assertThat(untilBatch()).isEqualTo(Duration.ofMillis(30));
    }

    @Test
    void lingersAgainForWhatASliceLeft() throws InterruptedException {
        queue.add(documents(progress, 1, 5));
        assertThat(untilBatch()).isZero();

        queue.takeSlice();

        assertThat(untilBatch()).isEqualTo(LINGER);
    }

    /** A task whose buffer is full is paused, so a batch would linger for nothing. */
    @Test
    void doesNotLingerWhileNothingMoreComes() throws InterruptedException {
        queue.add(documents(progress, 1, 1));
        queue.feed(false);
        assertThat(untilBatch()).isZero();

        queue.feed(true);
        assertThat(untilBatch()).isEqualTo(LINGER);
    }

    @Test
    void doesNotLingerDuringAFlush() throws InterruptedException {
        queue.add(documents(progress, 1, 1));
        Duration[] during = new Duration[1];

        queue.flush(Long.MAX_VALUE, () -> {
            try {
                during[0] = untilBatch();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return true;
        });

        assertThat(during[0]).isZero();
        assertThat(untilBatch()).isEqualTo(LINGER);
    }

    /** Another lane may take all the time that a commit has. */
    @Test
    void doesNotLingerBeforeAFlushEither() throws InterruptedException {
        queue.add(documents(progress, 1, 1));
        queue.hurry(true);
        assertThat(untilBatch()).isZero();

        queue.flush(0, () -> true);
        assertThat(untilBatch()).isEqualTo(LINGER);
    }

    @Test
    void countsASliceUntilItIsFinished() {
        queue.add(documents(progress, 1, 6));

        assertThat(queue.takeSlice()).hasSize(4);
        assertThat(queue.size()).isEqualTo(6);
        queue.finish();

        assertThat(queue.size()).isEqualTo(2);
    }

    @Test
    void forgetsTheBytesOfWhatItDrops() throws InterruptedException {
        Progress other = Records.progress(1);
        Document large = document(other, 1, "", "\"" + "x".repeat(200) + "\"");
        queue.add(List.of(large, document(progress, 2)));
        other.revoke();

        assertThat(queue.dropRevoked()).isEqualTo(large.bytesHeld());

        assertThat(untilBatch()).isEqualTo(LINGER);
        assertThat(queue.takeSlice()).extracting(Document::offset).containsExactly(2L);
    }

    @Test
    void asksForNoBatchOnceItIsStopped() throws InterruptedException {
        queue.add(documents(progress, 1, 4));

        queue.stop();

        assertThat(monitor.ended()).isNotDone();
        assertThat(queue.awaitBatch(OptionalLong.empty())).isFalse();
        assertThat(monitor.ended()).isDone();
    }
}
