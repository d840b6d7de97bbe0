package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class BodyMemoryTest {
    /** Room for two bodies of 10 bytes, each three times while it grows. */
    private final BodyMemory memory = new BodyMemory(60, 5);

    @Test
    void countsLargeBodiesOnly() {
        assertThat(memory.isLarge(5)).isFalse();
        assertThat(memory.isLarge(6)).isTrue();
    }

    @Test
    void aBodyWaitsUntilThereIsRoom() throws Exception {
        memory.take(10, () -> false);
        memory.take(10, () -> false);
        assertThatThrownBy(() -> memory.take(10, () -> true)).isInstanceOf(CancellationException.class);
        AtomicBoolean isFreed = new AtomicBoolean();
        CompletableFuture<Boolean> third = CompletableFuture.supplyAsync(() -> {
            take(10, new AtomicBoolean());
            return isFreed.get();
        });

        isFreed.set(true);
        memory.giveBack(10);

        assertThat(third.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aBodyThatNeverFitsIsAdmittedAlone() throws Exception {
        memory.take(1_000, () -> false);
        AtomicBoolean aborted = new AtomicBoolean(true);
        assertThatThrownBy(() -> memory.take(10, aborted::get)).isInstanceOf(CancellationException.class);

        memory.giveBack(1_000);

        memory.take(10, aborted::get);
    }

    @Test
    void anAbortedAttemptWaitsNoLonger() {
        take(1_000, new AtomicBoolean());
        AtomicBoolean aborted = new AtomicBoolean();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> take(10, aborted));

        aborted.set(true);
        memory.wake();

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
