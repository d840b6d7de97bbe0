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
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AdaptiveLimiterTest {
    private static final Duration QUICK = Duration.ofMillis(100);
    private static final Duration SLOW = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final AdaptiveLimiter limiter = new AdaptiveLimiter(clock, 4, 2_000, SLOW);

    @Test
    void beginsAtTheBoundsAndStaysThereWhileAllIsWell() {
        for (int i = 0; i < 100; i++) {
            limiter.succeeded(2_000, QUICK);
        }
        assertThat(limiter.inFlightBound()).isEqualTo(4);
        assertThat(limiter.rows()).isEqualTo(2_000);
        assertThat(limiter.bytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void halvesRequestsInFlightFirstAndTheirSizeThen() {
        rejectLater();
        assertThat(limiter.inFlightBound()).isEqualTo(2);
        rejectLater();
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        assertThat(limiter.rows()).isEqualTo(2_000);
        rejectLater();
        assertThat(limiter.rows()).isEqualTo(1_000);
        for (int i = 0; i < 20; i++) {
            rejectLater();
        }
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        assertThat(limiter.rows()).isEqualTo(AdaptiveLimiter.MIN_ROWS);
    }

    @Test
    void doesNotCountRejectionsOfWhatWasSentBeforeItSlowedDown() {
        limiter.rejected(2_000, QUICK);
        limiter.rejected(2_000, QUICK);
        limiter.rejected(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(2);
        clock.pass(QUICK);
        limiter.rejected(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(1);
    }

    @Test
    void growsStepByStepSizeFirst() {
        for (int i = 0; i < 4; i++) {
            rejectLater();
        }
        assertThat(limiter.rows()).isEqualTo(500);
        limiter.succeeded(500, QUICK);
        assertThat(limiter.rows()).isEqualTo(700);
        for (int i = 0; i < 7; i++) {
            limiter.succeeded(500, QUICK);
        }
        assertThat(limiter.rows()).isEqualTo(2_000);
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        limiter.succeeded(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(2);
        limiter.succeeded(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(2);
        limiter.succeeded(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(3);
    }

    @Test
    void learnsNothingAboutTheSizeFromWhatIsLeftOfARequest() {
        rejectLater();
        rejectLater();
        for (int i = 0; i < 20; i++) {
            clock.pass(Duration.ofMinutes(1));
            limiter.rejectedInPart(3, QUICK);
        }
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        assertThat(limiter.rows()).isEqualTo(2_000);
        clock.pass(Duration.ofMinutes(1));
        limiter.rejectedInPart(1_500, QUICK);
        assertThat(limiter.rows()).isEqualTo(1_000);
    }

    @Test
    void sendsNothingAgainAtTheSizeThatWasNotAnsweredInTime() {
        limiter.unanswered(1_800, SLOW.plusMillis(1));
        assertThat(limiter.inFlightBound()).isEqualTo(2);
        assertThat(limiter.rows()).isEqualTo(900);
        limiter.unanswered(1_800, SLOW.plusMillis(1)); // it was under way meanwhile
        assertThat(limiter.rows()).isEqualTo(900);
        clock.pass(SLOW.multipliedBy(2));
        limiter.unanswered(900, SLOW.plusMillis(1));
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        assertThat(limiter.rows()).isEqualTo(450);
    }

    @Test
    void learnsNothingAboutTheSizeFromASmallRequestOrAQuickRefusal() {
        limiter.unanswered(10, SLOW.plusMillis(1));
        clock.pass(Duration.ofMinutes(1));
        limiter.unanswered(2_000, QUICK);
        assertThat(limiter.inFlightBound()).isEqualTo(1);
        assertThat(limiter.rows()).isEqualTo(2_000);
    }

    @Test
    void takesRequestsThatTakeTooLongForTooMuch() {
        limiter.succeeded(2_000, SLOW.plusMillis(1));
        assertThat(limiter.inFlightBound()).isEqualTo(2);
    }

    @Test
    void remembersWhatIsTooLarge() {
        limiter.tooLarge(8 << 20);
        assertThat(limiter.bytes()).isEqualTo(4 << 20);
        limiter.tooLarge(20 << 20);
        assertThat(limiter.bytes()).isEqualTo(4 << 20);
        limiter.tooLarge(1);
        assertThat(limiter.bytes()).isEqualTo(AdaptiveLimiter.MIN_BYTES);
    }

    @Test
    void letsNoMoreRequestsGoThanThereIsRoomFor() throws Exception {
        rejectLater();
        rejectLater();
        limiter.begin(() -> false);
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> begin(new AtomicBoolean()));
        await().during(Duration.ofMillis(50)).until(() -> !second.isDone());
        limiter.end();
        second.get(20, TimeUnit.SECONDS);
    }

    @Test
    void letsNobodyWaitWhoIsBrokenOff() throws Exception {
        rejectLater();
        rejectLater();
        limiter.begin(() -> false);
        AtomicBoolean aborted = new AtomicBoolean();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> begin(aborted));
        aborted.set(true);
        limiter.wake();
        assertThatThrownBy(() -> second.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(CancellationException.class);
    }

    private void begin(AtomicBoolean aborted) {
        try {
            limiter.begin(aborted::get);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void rejectLater() {
        clock.pass(Duration.ofMinutes(1));
        limiter.rejected(2_000, QUICK);
    }
}
