package io.tidegate.connect.common.delivery;

import static io.tidegate.connect.common.testing.Records.document;
import static io.tidegate.connect.common.testing.Records.documentFor;
import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.Blocked;
import io.tidegate.connect.common.testing.FakeErrantRecordReporter;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

final class DeliveryTest {
    private final Progress progress = Records.progress(0);
    private final FakeWriter writer = new FakeWriter();
    private final FakeErrantRecordReporter reporter = new FakeErrantRecordReporter();
    private final TestClock clock = new TestClock();
    private final DeadLetters letters = new DeadLetters(Optional.of(reporter), true, clock);
    private final PostponedDestinations destinations = new PostponedDestinations("memory", clock);
    private final OpenGate gate = new OpenGate();

    /** Lets everything through that is not revoked, and never takes real time. */
    private final class OpenGate implements Delivery.Gate {
        private final List<Duration> pauses = new ArrayList<>();
        private Runnable duringPause = () -> {};
        private boolean stopping;
        private boolean cancelled;
        private int entered;
        private int left;

        @Override
        public Optional<List<Document>> enter(List<Document> documents) {
            if (stopping) {
                return Optional.empty();
            }
            List<Document> ours = documents.stream()
                    .filter(each -> !each.progress().isRevoked())
                    .toList();
            entered += ours.isEmpty() ? 0 : 1;
            return Optional.of(ours);
        }

        @Override
        public void leave() {
            left++;
        }

        @Override
        public boolean isStopped() {
            return stopping;
        }

        @Override
        public boolean wasCancelled() {
            return cancelled;
        }

        @Override
        public boolean pause(Duration duration) {
            pauses.add(duration);
            clock.advance(duration);
            duringPause.run();
            return !stopping;
        }

        @Override
        public boolean await(BooleanSupplier until) {
            while (!stopping && !until.getAsBoolean()) {
                boolean unused = pause(Duration.ofMillis(10));
            }
            return !stopping;
        }
    }

    private static final Delivery.Rules KEEPING_OFFSETS =
            new Delivery.Rules("memory", true, false, ErrorOverrides.NONE);

    private Delivery delivery(int maxRetries) {
        return delivery(maxRetries, new Delivery.Rules("memory", false, false, ErrorOverrides.NONE));
    }

    private Delivery delivery(int maxRetries, Delivery.Rules rules) {
        RetryPolicy policy = new RetryPolicy(
                new RetrySettings(maxRetries, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ZERO));
        return new Delivery(writer, rules, policy, letters, clock, () -> 0.5, destinations, AttemptObserver.NONE);
    }

    private final Delivery delivery = delivery(RetrySettings.UNLIMITED);

    private boolean deliver(List<Document> documents) throws InterruptedException {
        return delivery.deliver(documents, document -> Optional.empty(), gate);
    }

    private List<Long> refusedOffsets() throws InterruptedException {
        letters.report();
        return reporter.offsets();
    }

    private static List<Long> offsets(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void writesABatchInOneAttempt() throws InterruptedException {
        assertThat(deliver(documents(progress, 1, 5))).isTrue();

        assertThat(writer.attemptedOffsets()).containsExactly(offsets(1, 5));
        assertThat(gate.left).isEqualTo(1);
    }

    @Test
    void retriesOnlyTheUnwrittenInOrder() throws InterruptedException {
        writer.thenWriteOnly("429 busy", 1L, 3L).thenWriteOnly("429 busy", 4L);

        assertThat(deliver(documents(progress, 1, 5))).isTrue();

        assertThat(writer.attemptedOffsets()).containsExactly(offsets(1, 5), List.of(2L, 4L, 5L), List.of(2L, 5L));
        assertThat(gate.pauses).containsExactly(Duration.ofMillis(50), Duration.ofMillis(100));
    }

    @Test
    void waitsAsLongAsTheServerAsks() throws InterruptedException {
        writer.thenFailFor(Duration.ofSeconds(7), "503 overloaded");

        deliver(documents(progress, 1, 1));

        assertThat(gate.pauses).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void isInOutageUntilTheServerAnswers() throws InterruptedException {
        writer.thenFail(Failure.TRANSIENT, "down");
        gate.duringPause = () -> assertThat(delivery.isInOutage()).isTrue();

        deliver(documents(progress, 1, 1));

        assertThat(gate.pauses).hasSize(1);
        assertThat(delivery.isInOutage()).isFalse();
    }

    @Test
    void waitingForTheRightMomentIsNoOutageAndSpendsNoRetry() throws InterruptedException {
        Delivery withoutRetries = delivery(0);
        for (int attempt = 0; attempt < 5; attempt++) {
            writer.thenFail(Failure.BUSY, "no connection is free");
        }
        gate.duringPause = () -> assertThat(withoutRetries.isInOutage()).isFalse();

        assertThat(withoutRetries.deliver(documents(progress, 1, 3), document -> Optional.empty(), gate))
                .isTrue();

        assertThat(gate.pauses).hasSize(5);
        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void sendsLessWhereABatchWasTooMuchAndMoreOnceThatWorks() throws InterruptedException {
        Delivery withoutRetries = delivery(0);
        writer.takeAtMost(100);

        withoutRetries.deliver(documents(progress, 1, 1_000), document -> Optional.empty(), gate);

        assertThat(writer.writtenOffsets()).isEqualTo(offsets(1, 1_000));
        assertThat(writer.attempts()).hasSizeLessThan(40);
        assertThat(withoutRetries.isInOutage()).isFalse();

        writer.takeAtMost(Integer.MAX_VALUE);
        for (int batch = 1; batch < 100; batch++) {
            int first = 1_000 * batch + 1;
            withoutRetries.deliver(documents(progress, first, 1_000), document -> Optional.empty(), gate);
        }
        assertThat(writer.attemptedOffsets().get(writer.attempts().size() - 1)).hasSize(1_000);
    }

    @Test
    void sendsLessWhereOnlyLargeBatchesLoseTheConnectionAndMoreOnceThatWorks() throws InterruptedException {
        writer.cutMoreThan(100);

        deliver(documents(progress, 1, 1_000));

        assertThat(writer.writtenOffsets()).isEqualTo(offsets(1, 1_000));
        assertThat(writer.attempts()).hasSizeLessThan(60);

        writer.cutMoreThan(Integer.MAX_VALUE);
        for (int batch = 1; batch < 100; batch++) {
            deliver(documents(progress, 1_000 * batch + 1, 1_000));
        }
        assertThat(writer.attemptedOffsets().get(writer.attempts().size() - 1)).hasSize(1_000);
    }

    @Test
    void probesAnOutageWithLessAndLessAndSendsTheRestAsSoonAsItIsOver() throws InterruptedException {
        writer.goDown("connection refused");
        gate.duringPause = () -> {
            if (gate.pauses.size() == 8) {
                writer.comeUp();
            }
        };

        deliver(documents(progress, 1, 1_000));

        assertThat(writer.attemptedOffsets())
                .extracting(List::size)
                .containsExactly(1_000, 1_000, 1_000, 500, 250, 125, 62, 31, 15, 16, 31, 63, 125, 250, 500);
        assertThat(writer.writtenOffsets()).isEqualTo(offsets(1, 1_000));
    }

    @Test
    void aFewDocumentsThatFailedSayNothingAboutMany() throws InterruptedException {
        writer.goDown("429");
        gate.duringPause = () -> {
            if (gate.pauses.size() == 3) {
                writer.comeUp();
            }
        };
        deliver(documents(progress, 100, 60));
        writer.thenFail(Failure.TRANSIENT, "429");

        deliver(documents(progress, 160, 2_000));

        assertThat(writer.attemptedOffsets()).extracting(List::size).containsExactly(60, 60, 60, 30, 30, 2_000, 2_000);
    }

    @Test
    void measuresBytesWhereABatchWasTooMuch() throws InterruptedException {
        Document large = document(progress, 1, "a", "\"" + "x".repeat(10_000) + "\"");
        List<Document> documents = new ArrayList<>(
                List.of(large, document(progress, 2, "b", large.json().toString())));
        documents.addAll(documents(progress, 3, 50));
        writer.thenFail(Failure.TOO_MUCH, "413");

        deliver(documents);

        assertThat(writer.attemptedOffsets()).extracting(List::size).containsExactly(52, 1, 51);
    }

    @Test
    void attemptsNoKeyTwiceAtOnceWhereTheFirstMayFail() throws InterruptedException {
        Delivery separating = delivery(0, new Delivery.Rules("memory", false, true, ErrorOverrides.NONE));
        List<Document> documents = List.of(
                document(progress, 1, "a"),
                document(progress, 2, ""),
                document(progress, 3, ""),
                document(progress, 4, "b"),
                document(progress, 5, "a"),
                document(progress, 6, "a"));

        separating.deliver(documents, document -> Optional.empty(), gate);

        assertThat(writer.attemptedOffsets()).containsExactly(offsets(1, 4), List.of(5L), List.of(6L));
    }

    @Test
    void aSingleDocumentThatIsTooMuchIsAnOutage() {
        writer.thenFail(Failure.TOO_MUCH, "57014").thenFail(Failure.TOO_MUCH, "57014");
        Delivery once = delivery(1);

        assertThatThrownBy(() -> once.deliver(documents(progress, 1, 1), document -> Optional.empty(), gate))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("max.retries=1 allows no more: 57014");
    }

    @Test
    void aDestinationThatTakesNothingIsNoOutage() throws InterruptedException {
        writer.closing("blocked");

        assertThat(deliver(List.of(documentFor("blocked", progress, 1), documentFor("good", progress, 2))))
                .isTrue();
        delivery.settle(0);

        assertThat(delivery.isInOutage()).isFalse();
        assertThat(gate.pauses).isEmpty();
        assertThat(destinations.count()).isEqualTo(1);
        assertThat(destinations.bytes())
                .isEqualTo(documentFor("blocked", progress, 1).bytesHeld());
        assertThat(delivery.nextRetry())
                .hasValue(clock.nanoTime() + Duration.ofMillis(50).toNanos());
    }

    @Test
    void holdsBackNothingThatWasNotRefusedForItsDestination() throws InterruptedException {
        writer.then(documents -> {
            throw Blocked.of(
                    Map.of("blocked", "403"), "403", documents.subList(1, 4), List.of()); // the last two were not sent
        });

        deliver(List.of(
                documentFor("good", progress, 1),
                documentFor("blocked", progress, 2),
                documentFor("blocked", progress, 3),
                documentFor("good", progress, 4)));

        assertThat(writer.attemptedOffsets()).containsExactly(offsets(1, 4), List.of(4L));
        assertThat(destinations.count()).isEqualTo(1);
    }

    @Test
    void aDestinationHasItsOwnPausesWhichBeginAgainWhenItTakesSome() throws InterruptedException {
        writer.closing("blocked");
        deliver(List.of(documentFor("blocked", progress, 1), documentFor("blocked", progress, 2)));
        delivery.settle(0);
        for (long pause : List.of(50L, 100L, 200L)) {
            assertThat(untilRetry()).isEqualTo(Duration.ofMillis(pause));
            retry();
        }
        writer.open("blocked");
        writer.then(documents -> {
            throw Blocked.of(Map.of("blocked", "429"), "429", documents.subList(1, 2), List.of());
        });
        retry();
        assertThat(untilRetry()).isEqualTo(Duration.ofMillis(50));
        retry();
        assertThat(delivery.nextRetry()).isEmpty();
        assertThat(destinations.count()).isZero();
        assertThat(destinations.bytes()).isZero();
    }

    private Duration untilRetry() {
        return Duration.ofNanos(delivery.nextRetry().orElseThrow() - clock.nanoTime());
    }

    private void retry() throws InterruptedException {
        clock.advance(untilRetry());
        deliver(delivery.takeDue(100, 10_000));
        delivery.settle(0);
    }

    @Test
    void triesAgainNoMoreThanFitsIntoABatch() throws InterruptedException {
        writer.closing("a").closing("b");
        deliver(List.of(
                documentFor("a", progress, 1),
                documentFor("b", progress, 2),
                documentFor("a", progress, 3),
                documentFor("b", progress, 4)));
        delivery.settle(0);
        clock.advance(untilRetry());

        assertThat(delivery.takeDue(3, 10_000)).extracting(Document::offset).containsExactly(1L, 3L, 2L);
    }

    @Test
    void triesASupersededDocumentOnlyTogetherWithTheLaterOne() throws InterruptedException {
        Document first = documentFor("a", progress, 1);
        Document earlier = documentFor("a", progress, 2);
        Document later = documentFor("a", progress, 3); // may have been written although its answer was lost
        Document last = documentFor("a", progress, 4);
        writer.closing("a");
        delivery.deliver(
                List.of(first, later, last),
                document -> document == later ? Optional.of(earlier) : Optional.empty(),
                gate);
        delivery.settle(0);
        clock.advance(untilRetry());

        assertThat(delivery.takeDue(2, 10_000)).extracting(Document::offset).containsExactly(1L, 2L, 3L);
    }

    private final Delivery keepingOffsets = delivery(RetrySettings.UNLIMITED, KEEPING_OFFSETS);

    /** The next attempt writes nothing, as one transaction does. */
    private void locked(String... destinations) {
        Map<String, String> reasons =
                Stream.of(destinations).collect(Collectors.toMap(destination -> destination, destination -> "locked"));
        writer.then(documents -> {
            throw WriteException.ofAll(Failure.DESTINATION, "locked", null, documents)
                    .as(Failure.DESTINATION, "locked", reasons);
        });
    }

    private void deliverKeepingOffsets(List<Document> documents) throws InterruptedException {
        keepingOffsets.deliver(documents, document -> Optional.empty(), gate);
        keepingOffsets.settle(0);
    }

    /** As of a table whose statement has taken too long. */
    private static WriteException slow(List<Document> documents) {
        return WriteException.ofAll(Failure.DESTINATION, "slow", null, documents)
                .as(Failure.DESTINATION, "slow", Map.of("a", "slow"))
                .slow();
    }

    /** The lane writes nothing to others while it waits for the answer. */
    @Test
    void aDestinationWhoseAttemptsTakeLongIsTriedRarely() throws InterruptedException {
        writer.then(documents -> {
            clock.advance(Duration.ofSeconds(10));
            throw slow(documents);
        });
        boolean unused = deliver(List.of(documentFor("a", progress, 1)));
        delivery.settle(0);

        assertThat(Duration.ofNanos(delivery.nextRetry().orElseThrow() - clock.nanoTime()))
                .isEqualTo(Duration.ofSeconds(40));
    }

    /** As for a batch that is too much for the server, which is no failed attempt either. */
    @Test
    void theSearchForASizeDoesNotCountAsRetries() throws InterruptedException {
        Delivery once = delivery(1);
        FakeWriter.Attempt oneAtMost = documents -> {
            if (documents.size() > 1) {
                throw slow(documents);
            }
            return List.of();
        };
        writer.then(oneAtMost);
        boolean unused = once.deliver(
                LongStream.rangeClosed(1, 40)
                        .mapToObj(offset -> documentFor("a", progress, offset))
                        .toList(),
                document -> Optional.empty(),
                gate);
        once.settle(0);
        while (once.nextRetry().isPresent()) {
            clock.advance(Duration.ofMinutes(1));
            writer.then(oneAtMost);
            once.deliver(once.takeDue(100, 10_000), document -> Optional.empty(), gate);
            once.settle(0);
        }

        assertThat(writer.attempts()).filteredOn(attempt -> attempt.size() == 1).hasSize(40);
    }

    /** They are one row, which the server gets alone. */
    @Test
    void versionsOfAKeyAreNoSearchForASize() throws InterruptedException {
        Delivery once = delivery(1);
        Document first = documentFor("a", progress, 1);
        Document second = documentFor("a", progress, 2);
        FakeWriter.Attempt late = documents -> {
            throw slow(documents);
        };
        writer.then(late);
        boolean unused = once.deliver(
                List.of(second), document -> document == second ? Optional.of(first) : Optional.empty(), gate);
        once.settle(0);
        clock.advance(Duration.ofMinutes(1));
        writer.then(late);
        once.deliver(once.takeDue(9, 10_000), document -> Optional.empty(), gate);

        assertThatThrownBy(() -> once.settle(0)).hasMessageContaining("max.retries=1 allows no more: slow");
    }

    /** The request took long for another reason, such as a busy server. */
    @Test
    void aDestinationThatIsNotSlowIsTriedSoonAfterALongAttempt() throws InterruptedException {
        writer.then(documents -> {
            clock.advance(Duration.ofSeconds(10));
            throw WriteException.ofAll(Failure.DESTINATION, "429", null, documents)
                    .as(Failure.DESTINATION, "429", Map.of("a", "429"));
        });
        boolean unused = deliver(List.of(documentFor("a", progress, 1)));
        delivery.settle(0);

        assertThat(Duration.ofNanos(delivery.nextRetry().orElseThrow() - clock.nanoTime()))
                .isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aDestinationThatTakesFewDocumentsAtATimeGetsFew() throws InterruptedException {
        List<Long> written = new ArrayList<>();
        FakeWriter.Attempt atMostThree = documents -> {
            if (documents.size() > 3) {
                throw slow(documents);
            }
            documents.forEach(each -> written.add(each.offset()));
            return List.of();
        };
        int rounds = 0;
        writer.then(atMostThree);
        boolean unused = deliver(LongStream.rangeClosed(1, 90)
                .mapToObj(offset -> documentFor("a", progress, offset))
                .toList());
        delivery.settle(0);
        for (; delivery.nextRetry().isPresent(); rounds++) {
            clock.advance(Duration.ofMinutes(1));
            writer.then(atMostThree);
            deliver(delivery.takeDue(100, 10_000));
            delivery.settle(0);
        }

        assertThat(written).isEqualTo(offsets(1, 90));
        assertThat(rounds).isBetween(30, 70); // two at a time, and seldom four
    }

    /** The server's offset cannot pass a document that is not written. */
    @Test
    void laterDocumentsOfAPartitionWaitWhereTheServerKeepsOffsets() throws InterruptedException {
        Progress other = Records.progress(1);
        locked("a");
        deliverKeepingOffsets(List.of(
                documentFor("b", progress, 1),
                documentFor("a", progress, 2),
                documentFor("b", progress, 3),
                documentFor("b", other, 4)));

        assertThat(writer.attemptedOffsets()).containsExactly(offsets(1, 4), List.of(1L, 4L));
        assertThat(progress.isPostponing()).isTrue();
        assertThat(other.isPostponing()).isFalse();

        clock.advance(Duration.ofSeconds(1));
        deliverKeepingOffsets(keepingOffsets.takeDue(9, 10_000));

        assertThat(writer.written()).extracting(Document::offset).containsExactly(1L, 4L, 2L, 3L);
        assertThat(progress.isPostponing()).isFalse();
    }

    /** Else each of two destinations would wait for a document that waits for the other. */
    @Test
    void triesWhatWaitsForTwoDestinationsByTurns() throws InterruptedException {
        Progress other = Records.progress(1);
        locked("a", "b");
        deliverKeepingOffsets(List.of(
                documentFor("a", progress, 1),
                documentFor("b", progress, 2),
                documentFor("b", other, 3),
                documentFor("a", other, 4)));
        for (int round = 0; round < 4; round++) { // one document each
            clock.advance(Duration.ofSeconds(1));
            deliverKeepingOffsets(keepingOffsets.takeDue(1, 10_000));
        }

        assertThat(writer.written()).extracting(Document::offset).containsExactly(1L, 3L, 2L, 4L);
    }

    /** The destination refuses all of them, but only the first are tried while it does. */
    @Test
    void aRetriedErrorIsOverForADocumentThatWaitedSoLong() throws InterruptedException {
        Delivery retrying = delivery(
                RetrySettings.UNLIMITED,
                new Delivery.Rules("memory", false, false, LaneOverridesTest.overrides("gone:retry:1m:dlq")));
        for (long offset = 1; offset <= 2; offset++) {
            writer.then(documents -> documents.stream()
                    .map(each -> new Refusal(
                            each, Failure.SKIPPED, List.of("gone"), RefusedException.of("data", "no such table")))
                    .toList());
            retrying.deliver(List.of(documentFor("a", progress, offset)), document -> Optional.empty(), gate);
            retrying.settle(0);
        }
        assertThat(writer.attempts()).hasSize(1);
        clock.advance(Duration.ofMinutes(1));
        retrying.deliver(retrying.takeDue(9, 10_000), document -> Optional.empty(), gate);
        retrying.settle(0);

        assertThat(refusedOffsets()).containsExactly(1L, 2L);
    }

    /** Otherwise a batch with many versions of a key would close its table for as many times as long. */
    @Test
    void aRetriedErrorIsOverForAllVersionsOfAKeyTogether() throws InterruptedException {
        Delivery retrying = delivery(
                RetrySettings.UNLIMITED,
                new Delivery.Rules("memory", false, false, LaneOverridesTest.overrides("gone:retry:1m:dlq")));
        Document first = documentFor("a", progress, 1);
        Document second = documentFor("a", progress, 2);
        Function<Document, Optional<Document>> superseded =
                document -> document == second ? Optional.of(first) : Optional.empty();
        FakeWriter.Attempt gone = documents -> documents.stream()
                .map(each -> new Refusal(
                        each, Failure.SKIPPED, List.of("gone"), RefusedException.of("data", "no such table")))
                .toList();
        writer.then(gone);
        retrying.deliver(List.of(second), superseded, gate);
        retrying.settle(0);
        clock.advance(Duration.ofMinutes(1));
        assertThat(retrying.takeDue(9, 10_000)).containsExactly(first, second);
        writer.then(gone).then(gone);
        retrying.deliver(List.of(second), superseded, gate);
        retrying.settle(0);

        assertThat(refusedOffsets()).containsExactly(2L, 1L);
    }

    /** It had the error long ago; since then it waits for another destination. */
    @Test
    void theTimeOfARetriedErrorDoesNotBeginWhileADocumentWaitsForAnotherDestination() throws InterruptedException {
        Delivery retrying = delivery(
                RetrySettings.UNLIMITED,
                new Delivery.Rules("memory", true, false, LaneOverridesTest.overrides("gone:retry:1m:dlq")));
        FakeWriter.Attempt gone = documents -> documents.stream()
                .filter(each -> each.destination().equals("b"))
                .map(each -> new Refusal(
                        each, Failure.SKIPPED, List.of("gone"), RefusedException.of("data", "no such table")))
                .toList();
        writer.then(gone).thenWriteAll();
        retrying.deliver(List.of(documentFor("b", progress, 1)), document -> Optional.empty(), gate);
        retrying.settle(0);
        clock.advance(Duration.ofSeconds(30));
        retrying.deliver(retrying.takeDue(9, 10_000), document -> Optional.empty(), gate);
        retrying.settle(0);
        locked("a");
        retrying.deliver(
                List.of(documentFor("a", progress, 2), documentFor("b", progress, 3)),
                document -> Optional.empty(),
                gate);
        retrying.settle(0);
        clock.advance(Duration.ofMinutes(2));
        writer.then(gone);
        retrying.deliver(retrying.takeDue(9, 10_000), document -> Optional.empty(), gate);
        retrying.settle(0);

        assertThat(refusedOffsets()).isEmpty();
        assertThat(retrying.nextRetry()).isPresent();
    }

    /** As when a migration alters one table after the other. */
    @Test
    void aDestinationThatTakesDocumentsWaitsForNoOther() throws InterruptedException {
        Progress other = Records.progress(1);
        List<Document> documents = new ArrayList<>();
        documents.add(documentFor("a", progress, 1));
        documents.add(documentFor("a", other, 100));
        for (int offset = 2; offset <= 60; offset++) {
            documents.add(documentFor("b", progress, offset));
        }
        documents.add(documentFor("a", progress, 61));
        locked("a");
        deliverKeepingOffsets(documents);
        writer.closing("b");
        for (int round = 0; round < 3; round++) {
            clock.advance(Duration.ofMinutes(1));
            deliverKeepingOffsets(keepingOffsets.takeDue(40, 10_000));
        }
        deliverKeepingOffsets(List.of(documentFor("a", other, 101)));

        assertThat(writer.written()).extracting(Document::offset).containsExactly(1L, 100L, 101L);
        assertThat(progress.isPostponing()).isTrue();
        assertThat(other.isPostponing()).isFalse();

        writer.open("b");
        while (keepingOffsets.nextRetry().isPresent()) {
            clock.advance(Duration.ofMinutes(1));
            deliverKeepingOffsets(keepingOffsets.takeDue(40, 10_000));
        }
        assertThat(writer.written().stream()
                        .filter(document -> document.progress() == progress)
                        .map(Document::offset)
                        .toList())
                .isEqualTo(offsets(1, 61));
    }

    /** Each partition that comes out of another queue meets the closed destination, but that is no retry of it. */
    @Test
    void aClosedDestinationIsNotTriedMoreOftenBecauseOthersAreBehindAnother() throws InterruptedException {
        Delivery once = delivery(1, KEEPING_OFFSETS);
        List<Document> documents = new ArrayList<>();
        for (int partition = 0; partition < 5; partition++) {
            Progress each = Records.progress(partition);
            documents.add(documentFor("a", each, 1));
            documents.add(documentFor("b", each, 2));
        }
        locked("a");
        once.deliver(documents, document -> Optional.empty(), gate);
        once.settle(0);
        writer.closing("b");
        clock.advance(Duration.ofSeconds(1));
        for (int partition = 0; partition < 5; partition++) {
            once.deliver(once.takeDue(2, 10_000), document -> Optional.empty(), gate);
            once.settle(0);
        }

        assertThat(writer.written()).hasSize(5);
    }

    /** The limit of retries is of the destination that takes nothing, also if others are written meanwhile. */
    @Test
    void aDestinationThatTakesNothingFailsAlsoIfOthersWereWrittenBeforeIt() throws InterruptedException {
        Delivery twice = delivery(2, KEEPING_OFFSETS);
        locked("a");
        twice.deliver(
                List.of(documentFor("a", progress, 1), documentFor("b", progress, 2), documentFor("a", progress, 3)),
                document -> Optional.empty(),
                gate);
        twice.settle(0);
        writer.closing("b");

        assertThatThrownBy(() -> {
                    for (int round = 0; round < 4; round++) {
                        clock.advance(Duration.ofMinutes(1));
                        twice.deliver(twice.takeDue(9, 10_000), document -> Optional.empty(), gate);
                        twice.settle(0);
                    }
                })
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("accepted no writes to b in 3 attempts");
    }

    @Test
    void triesADestinationThatGoesOnTakingNothingWithFewDocuments() throws InterruptedException {
        writer.closing("blocked");
        List<Document> documents = new ArrayList<>();
        for (int offset = 1; offset <= 90; offset++) {
            documents.add(documentFor("blocked", progress, offset));
        }
        deliver(documents);
        delivery.settle(0);
        retry();
        retry();
        writer.open("blocked");
        retry();
        retry();

        assertThat(writer.attemptedOffsets())
                .containsExactly(offsets(1, 90), offsets(1, 90), offsets(1, 20), offsets(1, 20), offsets(21, 90));
    }

    @Test
    void failsWhenADestinationWasTriedAsOftenAsIsAllowed() throws InterruptedException {
        Delivery once = delivery(1);
        writer.closing("blocked");
        List<Document> documents = List.of(documentFor("blocked", progress, 1));
        once.deliver(documents, document -> Optional.empty(), gate);
        once.settle(0);
        clock.advance(Duration.ofSeconds(1));
        once.deliver(once.takeDue(1, 1), document -> Optional.empty(), gate);

        assertThatThrownBy(() -> once.settle(0))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "memory accepted no writes to blocked in 2 attempts over 1000 ms, and max.retries=1 allows no more:"
                                + " blocked");
    }

    @Test
    void findsTheOnePoisonDocumentInLogarithmicallyManyAttempts() throws InterruptedException {
        writer.rejectingBatchesWith(777L);

        assertThat(deliver(documents(progress, 1, 1_024))).isTrue();

        assertThat(writer.attempts()).hasSizeLessThanOrEqualTo(2 * 10 + 1);
        assertThat(refusedOffsets()).containsExactly(777L);
        assertThat(reporter.reports().get(0).error())
                .hasMessageMatching("the batch holds poison \\{\"kind\":\"refused\",\"attempts\":\\d+}");
        assertThat(writer.writtenOffsets())
                .isEqualTo(LongStream.rangeClosed(1, 1_024)
                        .filter(offset -> offset != 777)
                        .boxed()
                        .toList());
        assertThat(gate.pauses).isEmpty();
    }

    @Test
    void findsManyPoisonDocumentsAndKeepsTheOrderOfTheirNeighbours() throws InterruptedException {
        writer.rejectingBatchesWith(1L, 2L, 500L, 1_024L);

        assertThat(deliver(documents(progress, 1, 1_024))).isTrue();

        assertThat(writer.attempts()).hasSizeLessThanOrEqualTo(4 * (2 * 10 + 1));
        assertThat(refusedOffsets()).containsExactly(1L, 2L, 500L, 1_024L);
        assertThat(writer.writtenOffsets()).hasSize(1_020).isSorted();
    }

    @Test
    void sparesTheNeighboursOfADocumentThatWasRefusedByName() throws InterruptedException {
        writer.then(documents -> {
            throw WriteException.ofSome(
                    Failure.REJECTED,
                    "line 2",
                    null,
                    List.of(documents.get(0)),
                    List.of(new Refusal(documents.get(1), new RefusedException("22P02 in line 2"))),
                    Optional.empty());
        });

        assertThat(deliver(documents(progress, 1, 2))).isTrue();

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(refusedOffsets()).containsExactly(2L);
    }

    @Test
    void retriesInTheMiddleOfASplitWithoutLosingTheOrder() throws InterruptedException {
        writer.rejectingBatchesWith(4L)
                .thenFail(Failure.REJECTED, "the batch holds poison")
                .thenFail(Failure.TRANSIENT, "down");

        assertThat(deliver(documents(progress, 1, 4))).isTrue();

        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L, 3L);
        assertThat(refusedOffsets()).containsExactly(4L);
    }

    @Test
    void refusesWhatTheServerRefusesByName() throws InterruptedException {
        writer.refusing(2L);

        assertThat(deliver(documents(progress, 1, 3))).isTrue();

        assertThat(writer.attempts()).hasSize(1);
        assertThat(writer.writtenOffsets()).containsExactly(1L, 3L);
        assertThat(refusedOffsets()).containsExactly(2L);
        assertThat(reporter.reports().get(0).error()).hasMessage("poison at 2 {\"kind\":\"unusable\",\"attempts\":1}");
    }

    @Test
    void writesNothingBehindARefusedRecordBeforeItIsReportedWhereTheServerKeepsOffsets() throws InterruptedException {
        Delivery keepingOffsets = delivery(RetrySettings.UNLIMITED, KEEPING_OFFSETS);
        reporter.holdConfirmations();
        writer.rejectingBatchesWith(2L);
        gate.duringPause = () -> {
            assertThat(keepingOffsets.isAwaitingReports()).isTrue();
            assertThat(writer.writtenOffsets()).containsExactly(1L);
            if (gate.pauses.size() == 3) {
                reporter.confirmAll();
            }
            report();
        };

        assertThat(keepingOffsets.deliver(documents(progress, 1, 3), document -> Optional.empty(), gate))
                .isTrue();

        assertThat(keepingOffsets.isAwaitingReports()).isFalse();
        assertThat(writer.writtenOffsets()).containsExactly(1L, 3L);
        assertThat(reporter.offsets()).containsExactly(2L);
        assertThat(gate.pauses).hasSize(3).containsOnly(Duration.ofMillis(10));
    }

    private void report() {
        try {
            letters.report();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void givesUpOnAReportWhenTheLaneIsToStop() throws InterruptedException {
        Delivery keepingOffsets = delivery(RetrySettings.UNLIMITED, KEEPING_OFFSETS);
        writer.rejectingBatchesWith(1L);
        gate.duringPause = () -> gate.stopping = true;

        assertThat(keepingOffsets.deliver(documents(progress, 1, 2), document -> Optional.empty(), gate))
                .isFalse();

        assertThat(writer.written()).isEmpty();
        assertThat(keepingOffsets.isAwaitingReports()).isFalse();
    }

    @Test
    void writesASupersededDocumentWhenTheLaterOneIsRefused() throws InterruptedException {
        Document first = document(progress, 1, "k");
        Document second = document(progress, 2, "k");
        Document third = document(progress, 3, "k");
        Map<Document, Document> superseded = Map.of(third, second, second, first);
        writer.refusing(2L, 3L);

        delivery.deliver(List.of(third), document -> Optional.ofNullable(superseded.get(document)), gate);

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(refusedOffsets()).containsExactly(3L, 2L);
    }

    @Test
    void writesASupersededDocumentWhenTheLaterOneIsSkipped() throws InterruptedException {
        Document first = document(progress, 1, "k");
        Document second = document(progress, 2, "k");
        writer.then(documents -> List.of(
                new Refusal(second, Failure.SKIPPED, List.of(), RefusedException.of("malformed", "no number"))));

        delivery.deliver(List.of(second), document -> document == second ? Optional.of(first) : Optional.empty(), gate);

        assertThat(writer.writtenOffsets()).containsExactly(1L);
        assertThat(refusedOffsets()).isEmpty();
        assertThat(letters.skipped()).isEqualTo(1);
    }

    @Test
    void writesASupersededDocumentWhenThePartitionOfTheLaterOneIsRevoked() throws InterruptedException {
        Progress other = Records.progress(1);
        Document ours = document(progress, 1, "k");
        Document theirs = document(other, 9, "k");
        other.revoke();

        delivery.deliver(List.of(theirs), document -> document == theirs ? Optional.of(ours) : Optional.empty(), gate);

        assertThat(writer.writtenOffsets()).containsExactly(1L);
    }

    @Test
    void dropsRevokedDocumentsWhileItWaitsOutAnOutage() throws InterruptedException {
        Progress revoked = Records.progress(1);
        writer.thenFail(Failure.TRANSIENT, "down");
        gate.duringPause = revoked::revoke;

        assertThat(deliver(List.of(document(progress, 1), document(revoked, 7), document(progress, 2))))
                .isTrue();

        assertThat(writer.writtenOffsets()).containsExactly(1L, 2L);
    }

    @Test
    void makesNoAttemptWithNothingLeft() throws InterruptedException {
        writer.thenFail(Failure.TRANSIENT, "down");
        gate.duringPause = progress::revoke;

        assertThat(deliver(documents(progress, 1, 2))).isTrue();

        assertThat(writer.attempts()).hasSize(1);
        assertThat(delivery.isInOutage()).as("nobody waits any more").isFalse();
    }

    /** They wait for the server as before, only in another queue. */
    @Test
    void anOutageGoesOnForDocumentsThatArePostponed() throws InterruptedException {
        writer.closing("blocked");
        writer.then(documents -> {
            throw WriteException.ofAll(Failure.TRANSIENT, "down", new IllegalStateException(), documents)
                    .as(Failure.TRANSIENT, "down", Map.of("blocked", "locked"));
        });

        assertThat(deliver(List.of(documentFor("blocked", progress, 1)))).isTrue();

        assertThat(writer.attempts()).hasSize(1);
        assertThat(delivery.nextRetry()).isPresent();
        assertThat(delivery.isInOutage()).isTrue();
    }

    @Test
    void givesUpWhenTheLaneIsToStop() throws InterruptedException {
        writer.thenFail(Failure.TRANSIENT, "down");
        gate.duringPause = () -> gate.stopping = true;

        assertThat(deliver(documents(progress, 1, 2))).isFalse();

        assertThat(writer.attempts()).hasSize(1);
    }

    @Test
    void beginsNoFurtherPartWhenTheLaneIsToStop() throws InterruptedException {
        writer.then(documents -> {
            gate.stopping = true;
            throw WriteException.ofAll(Failure.REJECTED, "poison", new IllegalArgumentException(), documents);
        });

        assertThat(deliver(documents(progress, 1, 2))).isFalse();

        assertThat(writer.attempts()).hasSize(1);
    }

    @Test
    void failsWithRecordsTargetAndReasonWhenNothingCanBeWritten() {
        writer.thenFail(Failure.FATAL, "28P01: password authentication failed; see connection.password");

        assertThatThrownBy(() -> deliver(List.of(document(progress, 5), document(progress, 6))))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "memory refused 2 records (tides-0@5..6 into tides) and will not accept them until something is changed: 28P01: password authentication failed; see connection.password")
                .hasCauseInstanceOf(WriteException.class);
        assertThat(gate.left).isEqualTo(gate.entered);
    }

    @Test
    void failsWithAttemptsTimeAndSettingWhenItsRetriesAreExhausted() {
        writer.goDown("connection refused");

        assertThatThrownBy(() -> delivery(2)
                        .deliver(
                                List.of(document(progress, 5), document(Records.progress(1), 9)),
                                document -> Optional.empty(),
                                gate))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                        "memory could not take 2 records (tides-0@5, tides-1@9 into tides) in 3 attempts over 150 ms,"
                                + " and max.retries=2 allows no more: connection refused");
    }

    @Test
    void leavesTheGateWhenAWriterBreaksItsContract() {
        writer.then(documents -> {
            throw new IllegalStateException("a bug");
        });

        assertThatThrownBy(() -> deliver(documents(progress, 1, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a bug");
        assertThat(gate.left).isEqualTo(1);
    }

    @Test
    void namesNoMorePartitionsThanAnOperatorReads() {
        List<Document> many = new ArrayList<>();
        for (int partition = 0; partition < 10; partition++) {
            many.add(document(Records.progress(partition), 1));
        }

        assertThat(Extent.of(many)).startsWith("10 records (tides-0@1, ").contains("tides-7@1 and 2 more into tides)");
        assertThat(Extent.of(many.subList(0, 1))).isEqualTo("1 record (tides-0@1 into tides)");
    }

    @Test
    void knowsNoFailedAttemptThatLeftNothing() {
        assertThatThrownBy(
                        () -> WriteException.ofAll(Failure.TRANSIENT, "down", new IllegalStateException(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an attempt that left nothing unwritten did not fail: down");
    }

    /** A server with offsets that fails as often as it is told. */
    private static final class FailingOffsets implements BatchWriter, ServerOffsets {
        private final Deque<Failure> failures = new ArrayDeque<>();
        private final List<List<Progress>> claims = new ArrayList<>();
        private Runnable whenClaimed = () -> {};
        private int stores;

        private static final Map<Progress, Optional<StartingPoint>> ANSWER =
                Map.of(Records.progress(7), Optional.of(new StartingPoint(3, Optional.empty())));

        private void failIfTold() throws WriteException {
            if (!failures.isEmpty()) {
                throw WriteException.ofOffsets(failures.pop(), "no", new IOException("no"))
                        .coded(List.of("08006"), List.of());
            }
        }

        @Override
        public Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) throws WriteException {
            claims.add(List.copyOf(partitions));
            whenClaimed.run();
            failIfTold();
            return ANSWER;
        }

        @Override
        public Map<Progress, Long> store(Map<Progress, Long> nextOffsets) throws WriteException {
            stores++;
            failIfTold();
            return nextOffsets;
        }

        @Override
        public void verify() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long recognised() {
            return 0;
        }

        @Override
        public long kept() {
            return 0;
        }

        @Override
        public Optional<ServerOffsets> offsets() {
            return Optional.of(this);
        }

        @Override
        public List<Refusal> write(List<Document> documents) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abort() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }

    private final List<Optional<Failure>> seen = new ArrayList<>(); // the results of claims
    private final FailingOffsets offsets = new FailingOffsets();
    private final Delivery keeping = keeping(KEEPING_OFFSETS);

    private Delivery keeping(Delivery.Rules rules) {
        return new Delivery(
                offsets,
                rules,
                new RetryPolicy(new RetrySettings(
                        RetrySettings.UNLIMITED, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ZERO)),
                letters,
                clock,
                () -> 0.5,
                destinations,
                (attempted, named, left, nanos) -> seen.add(left.map(WriteException::failure)));
    }

    @Test
    void claimsUntilTheServerAnswers() throws InterruptedException {
        offsets.failures.addAll(List.of(Failure.TRANSIENT, Failure.TRANSIENT));

        assertThat(keeping.claim(List.of(progress), gate)).contains(FailingOffsets.ANSWER);

        assertThat(offsets.claims).hasSize(3);
        assertThat(seen)
                .containsExactly(Optional.of(Failure.TRANSIENT), Optional.of(Failure.TRANSIENT), Optional.empty());
        assertThat(gate.pauses).containsExactly(Duration.ofMillis(50), Duration.ofMillis(100));
        assertThat(keeping.isInOutage()).isFalse();
    }

    @Test
    void asksAtTheGateBeforeEachClaimSoThatAnEarlierRevocationDoesNotEndItsPauses() throws InterruptedException {
        offsets.failures.add(Failure.TRANSIENT);
        List<List<Document>> asked = new ArrayList<>();
        Delivery.Gate counting = new Delivery.Gate() {
            @Override
            public Optional<List<Document>> enter(List<Document> documents) {
                asked.add(documents);
                return Optional.of(documents);
            }

            @Override
            public void leave() {
                throw new AssertionError("no document is under way");
            }

            @Override
            public boolean pause(Duration duration) {
                return true;
            }

            @Override
            public boolean await(BooleanSupplier until) {
                throw new AssertionError("no record is refused");
            }
        };

        keeping.claim(List.of(progress), counting);

        assertThat(asked).containsExactly(List.of(), List.of());
    }

    @Test
    void claimsNothingThatIsRevokedMeanwhile() throws InterruptedException {
        Progress other = Records.progress(1);
        offsets.failures.addAll(List.of(Failure.TRANSIENT, Failure.TRANSIENT));
        gate.duringPause = () -> (gate.pauses.size() == 1 ? progress : other).revoke();

        assertThat(keeping.claim(List.of(progress, other), gate))
                .as("nothing is left to ask for")
                .contains(Map.of());
        assertThat(keeping.isInOutage()).isFalse();

        assertThat(offsets.claims).containsExactly(List.of(progress, other), List.of(other));
    }

    @Test
    void stopsClaimingWhenTheLaneStops() throws InterruptedException {
        offsets.failures.add(Failure.TRANSIENT);
        gate.duringPause = () -> gate.stopping = true;

        assertThat(keeping.claim(List.of(progress), gate)).isEmpty();
        assertThat(keeping.claim(List.of(progress), gate)).isEmpty();

        assertThat(offsets.claims).hasSize(1);
    }

    @Test
    void failsTheTaskWhenTheServerWillNeverLetItClaim() {
        offsets.failures.add(Failure.FATAL);

        assertThatThrownBy(() -> keeping.claim(List.of(progress), gate))
                .isInstanceOf(ConnectException.class)
                .hasMessage("memory refused the offsets of tides-0 and will not accept them until something is changed:"
                        + " no");
    }

    /** The message is logged at each attempt, and Connect keeps that of a failed task in a record. */
    @Test
    void namesSomeOfThousandsOfPartitions() {
        List<Progress> thousands =
                IntStream.range(0, 5_000).mapToObj(Records::progress).toList();
        offsets.failures.add(Failure.FATAL);

        assertThatThrownBy(() -> keeping.claim(thousands, gate))
                .hasMessageContaining("tides-7 and 4992 more")
                .hasMessageNotContaining("tides-8");
    }

    @Test
    void storesOnceAndLeavesTheRestToTheNextCommit() {
        offsets.failures.add(Failure.TRANSIENT);

        assertThat(keeping.store(Map.of(progress, 7L), gate)).isEmpty();
        assertThat(keeping.isInOutage()).isTrue();
        assertThat(offsets.stores).isEqualTo(1);
        assertThat(gate.pauses).isEmpty();

        assertThat(keeping.store(Map.of(progress, 7L), gate)).isEqualTo(Map.of(progress, 7L));
        assertThat(keeping.isInOutage()).isFalse();
    }

    /** Otherwise each stop of a task in an outage would log one more outage: that of the connections it waits for. */
    @Test
    void whatFailsBecauseTheLaneStopsIsNoFailureOfTheServer() throws InterruptedException {
        offsets.failures.addAll(List.of(Failure.TRANSIENT, Failure.TRANSIENT));
        offsets.whenClaimed = () -> gate.stopping = true;
        assertThat(keeping.claim(List.of(progress), gate)).isEmpty();
        assertThat(keeping.store(Map.of(progress, 7L), gate)).isEmpty();
        assertThat(keeping.isInOutage()).isFalse();

        gate.stopping = false;
        writer.then(attempted -> {
            gate.stopping = true;
            throw WriteException.ofAll(Failure.TRANSIENT, "closed", new IOException("closed"), attempted);
        });
        assertThat(delivery(0).deliver(documents(progress, 0, 2), document -> Optional.empty(), gate))
                .as("max.retries=0 does not fail the task")
                .isFalse();
        assertThat(gate.pauses).isEmpty();
    }

    @Test
    void anAttemptThatWasCancelledForARevocationIsNoWaitForTheServer() throws InterruptedException {
        Progress revoked = Records.progress(1);
        gate.cancelled = true;
        writer.then(attempted -> {
            revoked.revoke();
            throw WriteException.ofAll(Failure.TRANSIENT, "closed", new IOException("closed"), attempted);
        });
        List<Document> both = new ArrayList<>(documents(revoked, 0, 1));
        both.addAll(documents(progress, 0, 2));

        assertThat(deliver(both)).isTrue();

        assertThat(gate.pauses).isEmpty();
        assertThat(writer.writtenOffsets()).containsExactly(0L, 1L);
    }

    private Delivery retryingForASecond() {
        return keeping(new Delivery.Rules("memory", true, false, LaneOverridesTest.overrides("08006:retry:1s:fail")));
    }

    @Test
    void retriesAClaimForAsLongAsAnOverrideSays() {
        offsets.failures.addAll(Collections.nCopies(20, Failure.TRANSIENT));

        assertThatThrownBy(() -> retryingForASecond().claim(List.of(progress), gate))
                .isInstanceOf(ConnectException.class)
                .hasMessage("memory refused the offsets of tides-0 and will not accept them until something is changed:"
                        + " no");

        Duration waited = gate.pauses.stream().reduce(Duration.ZERO, Duration::plus);
        assertThat(waited).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void anAnswerEndsTheTimeOfAnOverrideForOffsets() {
        Delivery retrying = retryingForASecond();
        for (int i = 0; i < 3; i++) {
            offsets.failures.add(Failure.TRANSIENT);
            assertThat(retrying.store(Map.of(progress, 7L), gate)).isEmpty();
            clock.advance(Duration.ofSeconds(2));
            assertThat(retrying.store(Map.of(progress, 7L), gate)).isNotEmpty();
        }
        offsets.failures.addAll(List.of(Failure.TRANSIENT, Failure.TRANSIENT));
        assertThat(retrying.store(Map.of(progress, 7L), gate)).isEmpty();
        clock.advance(Duration.ofSeconds(1));

        assertThatThrownBy(() -> retrying.store(Map.of(progress, 7L), gate)).isInstanceOf(ConnectException.class);
    }
}
