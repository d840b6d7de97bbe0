package io.tidegate.connect.common.lane;

import static io.tidegate.connect.common.testing.Records.document;
import static io.tidegate.connect.common.testing.Records.documentFor;
import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.Blocked;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

final class LaneTest {
    private static final String HUNDRED_BYTES = "\"" + "x".repeat(98) + "\"";

    private final Progress progress = Records.progress(0);
    private final FakeWriter writer = new FakeWriter();
    private final TestClock clock = new TestClock();
    private final DeadLetters letters = new DeadLetters(Optional.empty(), true, clock);
    private final AtomicLong released = new AtomicLong();
    private final List<Runnable> asked = new ArrayList<>(); // for a thread
    private boolean noThread;
    private final Lane lane = lane(4, 1_000, Duration.ZERO);

    private Lane lane(int rows, long bytes, Duration linger) {
        return lane(rows, bytes, linger, RetrySettings.UNLIMITED);
    }

    private Lane lane(int rows, long bytes, Duration linger, int retries) {
        RetryPolicy policy = new RetryPolicy(
                new RetrySettings(retries, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ZERO));
        return new Lane(
                0,
                new LaneSettings(rows, bytes, linger, 1, Ordering.PARTITION),
                true,
                writer,
                new Delivery(
                        writer,
                        new Delivery.Rules("memory", false, false, ErrorOverrides.NONE),
                        policy,
                        letters,
                        clock,
                        () -> 0.5,
                        new PostponedDestinations("memory", clock),
                        AttemptObserver.NONE),
                clock,
                this::ask,
                released::addAndGet);
    }

    private void ask(Runnable work) {
        if (noThread) {
            throw new IllegalStateException("no thread");
        }
        asked.add(work);
    }

    private static void enqueue(Lane lane, List<Document> documents) {
        documents.forEach(each -> each.progress().accept(lane.number(), each.offset()));
        lane.enqueue(documents);
    }

    private Document big(long offset, int bytes) {
        return document(progress, offset, "", "\"" + "x".repeat(bytes - 2) + "\"");
    }

    @Test
    void doesNothingWithoutDocuments() throws InterruptedException {
        assertThat(lane.runOnce()).isFalse();

        assertThat(writer.attempts()).isEmpty();
    }

    @Test
    void takesABatchOfAsManyRowsAsAreAllowed() throws InterruptedException {
        enqueue(lane, documents(progress, 1, 6));

        assertThat(lane.runOnce()).isTrue();
        assertThat(lane.backlog()).isEqualTo(2);
        assertThat(lane.runOnce()).isTrue();

        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L, 2L, 3L, 4L), List.of(5L, 6L));
    }

    @Test
    void takesABatchOfAsManyBytesAsAreAllowed() throws InterruptedException {
        Lane narrow = lane(100, 250, Duration.ZERO);
        enqueue(
                narrow,
                List.of(
                        document(progress, 1, "", HUNDRED_BYTES),
                        document(progress, 2, "", HUNDRED_BYTES),
                        document(progress, 3, "", HUNDRED_BYTES)));

        narrow.runOnce();
        narrow.runOnce();

        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L, 2L), List.of(3L));
    }

    @Test
    void writesAnOversizedDocumentAlone() throws InterruptedException {
        Lane narrow = lane(100, 250, Duration.ZERO);
        enqueue(narrow, List.of(big(1, 10), big(2, 900), big(3, 10)));

        while (narrow.runOnce()) {
            // until nothing is left
        }

        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L), List.of(2L), List.of(3L));
    }

    @Test
    void acknowledgesAndReleasesWhatItWrote() throws InterruptedException {
        List<Document> written = documents(progress, 1, 3);
        enqueue(lane, written);

        lane.runOnce();

        assertThat(progress.firstPending()).isEmpty();
        assertThat(released)
                .hasValue(written.stream().mapToLong(Document::bytesHeld).sum());
    }

    @Test
    void writesOnlyTheLastOfEachKeyAndAcknowledgesAll() throws InterruptedException {
        enqueue(lane, List.of(document(progress, 1, "k"), document(progress, 2, "k")));

        lane.runOnce();

        assertThat(writer.writtenOffsets()).containsExactly(2L);
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void writesASupersededDocumentWhenTheLaterOneIsRefused() throws InterruptedException {
        writer.refusing(2L);
        enqueue(lane, List.of(document(progress, 1, "k"), document(progress, 2, "k")));

        lane.runOnce();

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(progress.firstRefused()).hasValue(2);
    }

    @Test
    void waitsOutAnOutageInTestTimeOnly() throws InterruptedException {
        writer.thenFail(Failure.TRANSIENT, "down").thenFail(Failure.TRANSIENT, "down");
        enqueue(lane, documents(progress, 1, 2));
        long before = clock.nanoTime();

        assertThat(lane.runOnce()).isTrue();

        assertThat(clock.nanoTime() - before)
                .isEqualTo(Duration.ofMillis(50 + 100).toNanos());
        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L);
    }

    @Test
    void stopsWaitingOutAnOutageWhenAPartitionIsRevoked() throws InterruptedException {
        Progress other = Records.progress(1);
        writer.then(documents -> {
            other.revoke();
            lane.dropRevoked();
            throw unreachableFor(Duration.ofSeconds(10), documents);
        });
        enqueue(lane, List.of(document(other, 1), document(progress, 2)));
        long before = clock.nanoTime();

        assertThat(lane.runOnce()).isTrue();

        assertThat(clock.nanoTime()).isEqualTo(before);
        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L, 2L), List.of(2L));
    }

    private static WriteException unreachableFor(Duration retryAfter, List<Document> documents) {
        return WriteException.ofSome(Failure.TRANSIENT, "down", null, documents, List.of(), Optional.of(retryAfter));
    }

    @Test
    void givesUpAnOutageWhenItIsStopped() throws InterruptedException {
        writer.then(documents -> {
            lane.stop();
            throw unreachableFor(Duration.ofSeconds(10), documents);
        });
        enqueue(lane, documents(progress, 1, 2));

        assertThat(lane.runOnce()).isFalse();

        assertThat(progress.firstPending()).hasValue(1);
        assertThat(released.get()).isPositive();
    }

    @Test
    void dropsTheQueuedDocumentsOfRevokedPartitionsOnly() throws InterruptedException {
        Progress other = Records.progress(1);
        Document theirs = document(other, 1);
        enqueue(lane, List.of(theirs, document(progress, 2)));
        other.revoke();

        lane.dropRevoked();

        assertThat(released).hasValue(theirs.bytesHeld());
        lane.runOnce();
        assertThat(writer.writtenOffsets()).containsExactly(2L);
    }

    @Test
    void writesAtOnceWithoutALinger() {
        assertThat(timeUntilWritten(lane, documents(progress, 1, 1))).isZero();
    }

    @Test
    void lingersForMoreWhileABatchIsNotFull() {
        Lane patient = lane(4, 1_000, Duration.ofMillis(50));

        assertThat(timeUntilWritten(patient, documents(progress, 1, 3))).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void doesNotLingerWithAFullBatch() {
        Lane patient = lane(4, 1_000, Duration.ofMillis(50));

        assertThat(timeUntilWritten(patient, documents(progress, 1, 4))).isZero();
    }

    @Test
    void doesNotLingerWithEnoughBytes() {
        Lane patient = lane(4, 1_000, Duration.ofMillis(50));

        assertThat(timeUntilWritten(patient, List.of(big(1, 1_000)))).isZero();
    }

    /** Runs the lane on this thread until its first attempt. */
    private Duration timeUntilWritten(Lane lane, List<Document> documents) {
        writer.then(attempt -> {
            lane.stop();
            return List.of();
        });
        enqueue(lane, documents);
        long before = clock.nanoTime();
        lane.run();
        assertThat(writer.attempts()).hasSize(1);
        return Duration.ofNanos(clock.nanoTime() - before);
    }

    @Test
    void keepsTheCauseWhenTheTaskHasToFail() {
        writer.thenFail(Failure.FATAL, "no such table");
        enqueue(lane, documents(progress, 1, 1));

        lane.run();

        assertThat(lane.failure().orElseThrow())
                .isInstanceOf(ConnectException.class)
                .hasMessageEndingWith("will not accept them until something is changed: no such table");
        assertThat(progress.firstPending()).hasValue(1);
    }

    @Test
    void keepsTheCauseOfAnUnexpectedFailure() {
        writer.then(documents -> {
            throw new IllegalStateException("a bug");
        });
        enqueue(lane, documents(progress, 1, 1));

        lane.run();

        assertThat(lane.failure().orElseThrow())
                .hasMessage("lane 0 failed unexpectedly: java.lang.IllegalStateException: a bug")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    /** As without memory to describe the failure. Otherwise the lane would stand still, and nobody would know. */
    @Test
    void failsAlsoIfItsFailureCannotBeDescribed() {
        writer.then(documents -> {
            throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                    throw new OutOfMemoryError("Java heap space");
                }
            };
        });
        enqueue(lane, documents(progress, 1, 1));

        assertThatThrownBy(lane::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(lane.failure()).isPresent();
        assertThat(lane.ended()).isDone();
    }

    @Test
    void drainsNoLongerThanTheDeadline() throws InterruptedException {
        enqueue(lane, documents(progress, 1, 1));
        long deadline = clock.nanoTime() + Duration.ofSeconds(2).toNanos();

        lane.drain(deadline);

        assertThat(clock.nanoTime()).isEqualTo(deadline);
    }

    @Test
    void drainsAtOnceWhenItIsIdleOrHasFailed() throws InterruptedException {
        long before = clock.nanoTime();
        lane.drain(before + 1_000);
        writer.thenFail(Failure.FATAL, "no such table");
        enqueue(lane, documents(progress, 1, 1));
        lane.run();
        lane.drain(before + 1_000);

        assertThat(clock.nanoTime()).isEqualTo(before);
    }

    @Test
    void abortsOnlyAnAttemptThatHoldsRevokedDocuments() throws InterruptedException {
        Progress other = Records.progress(1);
        writer.then(documents -> {
            lane.abortRevoked();
            assertThat(writer.aborts()).isZero();
            other.revoke();
            lane.abortRevoked();
            return List.of();
        });
        enqueue(lane, List.of(document(other, 1), document(progress, 2)));

        lane.runOnce();
        lane.abortRevoked();

        assertThat(writer.aborts()).isEqualTo(1);
    }

    /** With {@code max.retries=0} an outage would end the task. */
    @Test
    void anAttemptThatItCancelsIsNoOutage() throws InterruptedException {
        Lane strict = lane(4, 1_000, Duration.ZERO, 0);
        Progress other = Records.progress(1);
        writer.then(documents -> {
            other.revoke();
            strict.abortRevoked();
            throw WriteException.ofAll(Failure.TRANSIENT, "connection closed", null, documents);
        });
        enqueue(strict, List.of(document(other, 1), document(progress, 2)));

        assertThat(strict.runOnce()).isTrue();
        assertThat(writer.writtenOffsets()).containsExactly(2L);
    }

    @Test
    void goesOnWithOthersWhileOneDestinationTakesNothing() throws InterruptedException {
        writer.closing("blocked");
        enqueue(lane, List.of(documentFor("blocked", progress, 1), documentFor("good", progress, 2)));
        assertThat(lane.runOnce()).isTrue();
        long afterTheFirst = released.get();
        enqueue(
                lane,
                List.of(
                        documentFor("good", progress, 3),
                        documentFor("blocked", progress, 4),
                        documentFor("good", progress, 5)));

        assertThat(lane.runOnce()).isTrue();

        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L, 2L), List.of(3L, 5L));
        assertThat(progress.firstPending()).hasValue(1);
        assertThat(afterTheFirst).isEqualTo(documentFor("good", progress, 2).bytesHeld());
        assertThat(lane.backlog()).isZero();
    }

    @Test
    void writesWhatWaitedForItsDestinationInOrderOnceThatTakesIt() throws InterruptedException {
        writer.closing("blocked");
        List<Document> documents = List.of(
                documentFor("blocked", progress, 1),
                documentFor("good", progress, 2),
                documentFor("blocked", progress, 3));
        enqueue(lane, documents);
        lane.runOnce();
        assertThat(lane.runOnce()).isFalse(); // too early

        clock.advance(Duration.ofMillis(50));
        assertThat(lane.runOnce()).isTrue();
        assertThat(progress.firstPending()).hasValue(1);
        writer.open("blocked");
        clock.advance(Duration.ofMillis(100));
        assertThat(lane.runOnce()).isTrue();

        assertThat(writer.attemptedOffsets()).containsExactly(List.of(1L, 2L, 3L), List.of(1L, 3L), List.of(1L, 3L));
        assertThat(progress.firstPending()).isEmpty();
        assertThat(released)
                .hasValue(documents.stream().mapToLong(Document::bytesHeld).sum());
    }

    @Test
    void advancesWhatMayBeCommittedWithEachPartOfWhatWaited() throws InterruptedException {
        writer.closing("blocked");
        for (int offset = 1; offset <= 6; offset++) {
            enqueue(lane, List.of(documentFor("blocked", progress, offset)));
        }
        lane.runOnce();
        lane.runOnce();
        assertThat(progress.firstPending()).hasValue(1);
        writer.open("blocked");
        clock.advance(Duration.ofMillis(50));

        lane.runOnce();
        assertThat(progress.firstPending()).hasValue(5);
        lane.runOnce();
        assertThat(progress.firstPending()).isEmpty();
        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void lingersWhileItWritesWhatWaited() throws InterruptedException {
        Lane patient = lane(4, 1_000, Duration.ofSeconds(10));
        writer.closing("blocked");
        enqueue(patient, List.of(documentFor("blocked", progress, 1)));
        patient.runOnce();
        writer.open("blocked");
        clock.advance(Duration.ofMillis(50));
        enqueue(patient, documents(progress, 2, 1));

        patient.runOnce();

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(patient.backlog()).isEqualTo(1);
    }

    @Test
    void dropsWhatIsHeldBackOfRevokedPartitionsOnly() throws InterruptedException {
        Progress other = Records.progress(1);
        Document theirs = documentFor("blocked", other, 1);
        Document ours = documentFor("blocked", progress, 2);
        writer.closing("blocked");
        enqueue(lane, List.of(theirs, ours));
        lane.runOnce();
        assertThat(released).hasValue(0);
        other.revoke();

        lane.dropRevoked();
        assertThat(released).hasValue(theirs.bytesHeld());
        writer.open("blocked");
        clock.advance(Duration.ofMillis(50));
        lane.runOnce();

        assertThat(writer.writtenOffsets()).containsExactly(2L);
        assertThat(released).hasValue(theirs.bytesHeld() + ours.bytesHeld());
        assertThat(progress.firstPending()).isEmpty();
    }

    @Test
    void holdsBackWhatWasSupersededToo() throws InterruptedException {
        Document earlier = document(progress, 1, "blocked", "k", "{}");
        Document later = document(progress, 2, "blocked", "k", "{}");
        writer.closing("blocked").refusing(2L);
        enqueue(lane, List.of(earlier, later));
        lane.runOnce();
        writer.open("blocked");
        clock.advance(Duration.ofMillis(50));

        lane.runOnce();

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(progress.firstRefused()).hasValue(2);
        assertThat(released).hasValue((long) earlier.bytesHeld() + later.bytesHeld());
    }

    @Test
    void wakesWhenADestinationIsToBeTriedAgain() {
        writer.closing("blocked");
        enqueue(lane, List.of(documentFor("blocked", progress, 1)));
        writer.then(documents -> {
            throw Blocked.of(Map.of("blocked", "403"), "403", documents, List.of());
        });
        writer.then(documents -> {
            lane.stop();
            return List.of();
        });
        long before = clock.nanoTime();

        lane.run();

        assertThat(clock.nanoTime() - before).isEqualTo(Duration.ofMillis(50).toNanos());
        assertThat(progress.firstPending()).isEmpty();
    }

    /** Another task writes them, and this lane may have nothing to write for long. */
    @Test
    void isInNoOutageOnceAllThatWaitedForTheServerIsTakenAway() throws InterruptedException {
        enqueue(lane, documents(progress, 1, 2));
        writer.then(documents -> {
            progress.revoke();
            throw WriteException.ofAll(Failure.TRANSIENT, "down", new IllegalStateException(), documents);
        });

        assertThat(lane.runOnce()).isTrue();

        assertThat(writer.attempts()).hasSize(1);
        assertThat(lane.unavailable()).isEmpty();
    }

    @Test
    void asksForAThreadOnlyWhileItHasSomethingToDo() throws InterruptedException {
        lane.dropRevoked();
        lane.drain(clock.nanoTime() + 1_000);
        lane.wake();
        assertThat(asked).isEmpty();

        enqueue(lane, documents(progress, 1, 5));
        enqueue(lane, documents(progress, 6, 1));
        assertThat(asked).hasSize(1);
        lane.run();
        assertThat(writer.attempts()).hasSize(2);
        assertThat(progress.firstPending()).isEmpty();

        lane.offsets().takeClaimed();
        lane.offsets().takeStored();
        lane.offsets().verification();
        assertThat(asked).hasSize(1);
        enqueue(lane, documents(progress, 7, 1));
        assertThat(asked).hasSize(2);
        lane.run();
        lane.offsets().verify();
        assertThat(asked).hasSize(3);
    }

    @Test
    void endsWhenItIsStoppedAndItsThreadHasLeft() {
        enqueue(lane, documents(progress, 1, 1));
        lane.stop();
        assertThat(lane.ended()).isNotDone();

        lane.run();

        assertThat(lane.ended()).isDone();
        assertThat(writer.attempts()).isEmpty();
    }

    @Test
    void endsAtOnceIfItIsStoppedWithoutAThread() {
        lane.stop();

        assertThat(lane.ended()).isDone();
        enqueue(lane, documents(progress, 1, 1));
        assertThat(asked).isEmpty();
    }

    @Test
    void asksForNoThreadAfterItHasFailed() {
        writer.thenFail(Failure.FATAL, "no such table");
        enqueue(lane, documents(progress, 1, 1));
        lane.run();

        enqueue(lane, documents(progress, 2, 1));

        assertThat(lane.ended()).isDone();
        assertThat(asked).hasSize(1);
    }

    /** As when the process may have no more threads: the task fails, and can still be stopped. */
    @Test
    void canBeStoppedIfThereIsNoThreadForIt() {
        noThread = true;
        assertThatThrownBy(() -> enqueue(lane, documents(progress, 1, 1))).hasMessage("no thread");

        lane.stop();

        assertThat(lane.ended()).isDone();
    }

    @Test
    void closesItsWriter() {
        lane.close();

        assertThat(writer.closes()).isEqualTo(1);
    }
}
