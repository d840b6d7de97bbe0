package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class BodyMemoryTest {
    private static final int KILOBYTE = 1_024;

    /** Room for two bodies of 10 KB, each three times while it grows. */
    private final BodyMemory memory = new BodyMemory(62 * KILOBYTE, 5 * KILOBYTE);

    @Test
    void countsLargeBodiesOnly() throws Exception {
        assertThat(memory.take(5 * KILOBYTE, () -> false)).isZero();
        assertThat(memory.take(5 * KILOBYTE + 1, () -> false)).isPositive();
    }

    @Test
    void aBodyWaitsUntilThereIsRoom() throws Exception {
        int taken = memory.take(10 * KILOBYTE, () -> false);
        memory.take(10 * KILOBYTE, () -> false);
        assertThatThrownBy(() -> memory.take(10 * KILOBYTE, () -> true)).isInstanceOf(CancellationException.class);
        AtomicBoolean isFreed = new AtomicBoolean();
        CompletableFuture<Boolean> third = CompletableFuture.supplyAsync(() -> {
            take(10 * KILOBYTE, new AtomicBoolean());
            return isFreed.get();
        });

        isFreed.set(true);
        memory.giveBack(taken);

        assertThat(third.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aBodyThatNeverFitsIsAdmittedAlone() throws Exception {
        int taken = memory.take(1_000 * KILOBYTE, () -> false);
        AtomicBoolean aborted = new AtomicBoolean(true);
        assertThatThrownBy(() -> memory.take(10 * KILOBYTE, aborted::get)).isInstanceOf(CancellationException.class);

        memory.giveBack(taken);

        assertThat(memory.take(10 * KILOBYTE, aborted::get)).isPositive();
    }

    /** Small ones that come later would never leave enough room for it. */
    @Test
    void aLargeBodyIsNotOvertaken() throws Exception {
        int small = memory.take(10 * KILOBYTE, () -> false);
        int other = memory.take(10 * KILOBYTE, () -> false);
        CompletableFuture<Void> large = CompletableFuture.runAsync(() -> take(1_000 * KILOBYTE, new AtomicBoolean()));
        await().until(() -> memory.waiting() == 1);
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> take(10 * KILOBYTE, new AtomicBoolean()));
        await().until(() -> memory.waiting() == 2);

        memory.giveBack(small);
        await().during(Duration.ofMillis(500)).until(() -> !later.isDone());
        memory.giveBack(other);

        large.get(20, TimeUnit.SECONDS);
        assertThat(later).isNotDone();
    }

    @Test
    void anAbortedAttemptWaitsNoLonger() {
        take(1_000 * KILOBYTE, new AtomicBoolean());
        AtomicBoolean aborted = new AtomicBoolean();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> take(10 * KILOBYTE, aborted));

        aborted.set(true);

        assertThatThrownBy(() -> second.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(CancellationException.class);
    }

    private void take(long bytes, AtomicBoolean aborted) {
        try {
            memory.take(bytes, aborted::get);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
