package io.tidegate.connect.common.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.FakeErrantRecordReporter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

final class DeadLettersTest {
    private final Progress progress = Records.progress(0);
    private final FakeErrantRecordReporter reporter = new FakeErrantRecordReporter();
    private final TestClock clock = new TestClock();
    private final DeadLetters letters = new DeadLetters(Optional.of(reporter), true, clock);

    private void refuse(DeadLetters letters, Progress progress, long offset) {
        letters.add(
                progress,
                Records.record(progress.partition().partition(), offset),
                new RefusedException("22P02: no JSON"));
    }

    @Test
    void reportsEachRecordOnceWithItsReason() throws InterruptedException {
        reporter.holdConfirmations();
        refuse(letters, progress, 3);

        letters.report();
        letters.report();
        letters.reportAndConfirm(0);

        assertThat(reporter.offsets()).containsExactly(3L);
        assertThat(reporter.reports().get(0).error())
                .isInstanceOf(RefusedException.class)
                .hasMessage("22P02: no JSON {\"kind\":\"unusable\"}");
    }

    @Test
    void saysWhenTheLastRefusedRecordIsConfirmedOrDropped() throws InterruptedException {
        List<Boolean> settled = new ArrayList<>();
        letters.whenConfirmed(() -> settled.add(letters.isSettled()));
        Progress revoked = Records.progress(1);
        reporter.holdConfirmations();
        refuse(letters, progress, 3);
        refuse(letters, progress, 4);
        letters.report();
        assertThat(settled).isEmpty();

        reporter.confirmAll();
        letters.report();
        assertThat(settled).containsExactly(true);

        refuse(letters, revoked, 1);
        revoked.revoke();
        letters.report();
        letters.report();
        assertThat(settled).containsExactly(true, true);
    }

    @Test
    void boundsTheCommitUntilTheReportIsConfirmed() throws InterruptedException {
        reporter.holdConfirmations();
        refuse(letters, progress, 7);
        refuse(letters, progress, 3);
        refuse(letters, Records.progress(1), 1);

        assertThat(progress.firstRefused()).hasValue(3);
        letters.report();
        assertThat(progress.firstRefused()).hasValue(3);

        reporter.confirmAll();
        letters.report();
        assertThat(progress.firstRefused()).isEmpty();
        assertThat(letters.isEmpty()).isTrue();
    }

    @Test
    void waitsNoLongerThanAllowedForAConfirmation() throws InterruptedException {
        reporter.holdConfirmations();
        refuse(letters, progress, 3);
        refuse(letters, progress, 4);

        long before = clock.nanoTime();
        letters.reportAndConfirm(TimeUnit.MILLISECONDS.toNanos(20));

        assertThat(clock.nanoTime() - before).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(progress.firstRefused()).hasValue(3);
    }

    @Test
    void failsTheTaskWhenTheQueueDoesNotTakeARecord() throws InterruptedException {
        reporter.holdConfirmations();
        refuse(letters, progress, 3);
        letters.report();

        reporter.failAll(new IllegalStateException("topic is read-only"));

        assertThatThrownBy(letters::report)
                .isInstanceOf(ConnectException.class)
                .hasMessage("the dead letter queue did not take tides-0@3")
                .hasRootCauseMessage("topic is read-only");
        assertThat(progress.firstRefused()).hasValue(3);
    }

    /** Connect returns a future that is done. */
    @Test
    void failsTheTaskWhenTheProducerRefusesARecordAtOnce() throws InterruptedException {
        AtomicLong failures = new AtomicLong(2); // of converters
        AtomicLong failing = new AtomicLong();
        DeadLetters counted = new DeadLetters(
                Optional.of(reporter), true, clock, () -> OptionalLong.of(failures.addAndGet(failing.get())));
        refuse(counted, progress, 3);
        counted.report();
        assertThat(progress.firstRefused())
                .as("only logged, or confirmed very soon")
                .isEmpty();

        failing.set(1);
        refuse(counted, progress, 4);
        assertThatThrownBy(counted::report)
                .isInstanceOf(ConnectException.class)
                .hasMessage("the dead letter queue did not take tides-0@4")
                .rootCause()
                .hasMessageContaining("producer.override.max.request.size");
        assertThat(progress.firstRefused()).hasValue(4);
        assertThat(counted.confirmed()).isEqualTo(1);
    }

    @Test
    void failsTheTaskWhereErrorsAreNotTolerated() {
        DeadLetters intolerant = new DeadLetters(Optional.of(reporter), false, clock);
        refuse(intolerant, progress, 3);

        assertThatThrownBy(intolerant::report)
                .isInstanceOf(ConnectException.class)
                .hasMessage("tides-0@3 cannot be written: 22P02: no JSON. The task stops before it. To carry on past"
                        + " such records, set errors.tolerance=all and errors.deadletterqueue.topic.name")
                .hasCauseInstanceOf(RefusedException.class);
        assertThat(reporter.reports()).isEmpty();
        assertThat(progress.firstRefused()).hasValue(3);
    }

    /** The error's reader goes on behind the record. */
    @Test
    void failsTheTaskWhenAllBeforeTheRecordIsWritten() throws InterruptedException {
        DeadLetters intolerant = new DeadLetters(Optional.of(reporter), false, clock);
        progress.accept(0, 1);
        progress.accept(0, 2);
        refuse(intolerant, progress, 3);
        intolerant.report();
        progress.acknowledge(0, 1);
        intolerant.report();
        progress.acknowledge(0, 2);

        assertThatThrownBy(intolerant::report).hasMessageStartingWith("tides-0@3 cannot be written");
    }

    @Test
    void failsTheTaskAtTheFirstOfItsRefusedRecords() {
        DeadLetters intolerant = new DeadLetters(Optional.of(reporter), false, clock);
        refuse(intolerant, progress, 5);
        refuse(intolerant, progress, 3);

        assertThatThrownBy(intolerant::report).hasMessageStartingWith("tides-0@3 cannot be written");
    }

    @Test
    void failsTheTaskWhereErrorsAreNotToleratedAndNobodyTakesReports() {
        DeadLetters intolerant = new DeadLetters(Optional.empty(), false, clock);
        refuse(intolerant, progress, 3);

        assertThatThrownBy(intolerant::report)
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("tides-0@3 cannot be written: 22P02: no JSON. The task stops before it.");
        assertThat(progress.firstRefused()).hasValue(3);
        assertThat(intolerant.isSettled()).isFalse();
    }

    @Test
    void isSettledWhenEveryRecordIsConfirmedOrSomebodyElses() throws InterruptedException {
        Progress revoked = Records.progress(1);
        reporter.holdConfirmations();
        assertThat(letters.isSettled()).isTrue();
        refuse(letters, progress, 3);
        refuse(letters, revoked, 4);
        revoked.revoke();
        letters.report();
        assertThat(letters.isSettled()).isFalse();

        reporter.confirmAll();
        letters.report();

        assertThat(letters.isSettled()).isTrue();
    }

    @Test
    void skipsRecordsWhereNobodyTakesReports() throws InterruptedException {
        DeadLetters unreported = new DeadLetters(Optional.empty(), true, clock);
        refuse(unreported, progress, 3);

        unreported.report();

        assertThat(unreported.isEmpty()).isTrue();
        assertThat(unreported.isSettled()).isTrue();
        assertThat(progress.firstRefused()).isEmpty();
    }

    @Test
    void leavesTheRecordsOfARevokedPartitionToItsNextOwner() throws InterruptedException {
        refuse(letters, progress, 3);
        progress.revoke();

        letters.report();

        assertThat(reporter.reports()).isEmpty();
        assertThat(letters.isEmpty()).isTrue();
    }

    @Test
    void countsWhatWasRefusedConfirmedAndSkipped() throws InterruptedException {
        DeadLetters unreported = new DeadLetters(Optional.empty(), true, clock);
        refuse(unreported, progress, 1);
        unreported.report();
        reporter.holdConfirmations();
        refuse(letters, progress, 1);
        refuse(letters, progress, 2);
        letters.report();

        assertThat(letters.refused()).isEqualTo(2);
        assertThat(letters.confirmed()).isZero();
        reporter.confirmAll();
        letters.report();
        assertThat(letters.confirmed()).isEqualTo(2);
        assertThat(letters.dropped()).isZero();
        assertThat(unreported.refused()).isEqualTo(1);
        assertThat(unreported.dropped()).isEqualTo(1);
        assertThat(unreported.confirmed()).isZero();
    }
}
