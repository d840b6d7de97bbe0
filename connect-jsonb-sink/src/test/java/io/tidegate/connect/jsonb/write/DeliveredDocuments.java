package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.PostgresTargetType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Delivers documents as a lane does, including retries, refusals and documents that are held back, and keeps what was
 * refused. One thread.
 */
final class DeliveredDocuments implements Delivery.Gate {
    private final Map<Long, RefusedException> refused = new TreeMap<>();
    private final DeadLetters letters = new DeadLetters(
            Optional.of((record, error) -> {
                refused.put(record.originalKafkaOffset(), (RefusedException) error);
                return CompletableFuture.completedFuture(null);
            }),
            true,
            Clock.SYSTEM);

    private final Delivery delivery;
    private final boolean keepsOffsets;
    private Runnable meanwhile;

    private DeliveredDocuments(Target target, BatchWriter writer, Runnable meanwhile) {
        this.meanwhile = meanwhile;
        this.keepsOffsets = writer.offsets().isPresent();
        this.delivery = new Delivery(
                writer,
                Delivery.Rules.of(target),
                new RetryPolicy(new RetrySettings(
                        RetrySettings.UNLIMITED, Duration.ofMillis(5), Duration.ofMillis(50), Duration.ZERO)),
                letters,
                Clock.SYSTEM,
                Math::random,
                new PostponedDestinations(target.description(), Clock.SYSTEM),
                AttemptObserver.NONE);
    }

    /** Delivers documents of an assignment through this writer, batch after batch. */
    static DeliveredDocuments to(Target target, BatchWriter writer, Progress assignment) throws InterruptedException {
        DeliveredDocuments delivered = new DeliveredDocuments(target, writer, () -> {});
        delivered.claim(List.of(assignment));
        return delivered;
    }

    /** The refused documents by offset, as the dead letter queue gets them. */
    static Map<Long, RefusedException> refusals(Map<String, String> settings, List<Document> documents) {
        return refusals(settings, documents, () -> {});
    }

    /**
     * As {@link #refusals(Map, List)}.
     *
     * @param meanwhile runs once, when the lane first waits
     */
    static Map<Long, RefusedException> refusals(
            Map<String, String> settings, List<Document> documents, Runnable meanwhile) {
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            DeliveredDocuments delivered = new DeliveredDocuments(target, writer, meanwhile);
            delivered.claim(
                    documents.stream().map(Document::progress).distinct().toList());
            return delivered.deliver(documents);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As a task that was assigned these partitions, if the server keeps offsets. */
    private void claim(List<Progress> partitions) throws InterruptedException {
        if (keepsOffsets) {
            boolean unused = delivery.claim(partitions, this).isPresent();
        }
    }

    /** Delivers a batch. Returns what was refused since the beginning, by offset. */
    Map<Long, RefusedException> deliver(List<Document> documents) throws InterruptedException {
        List<Document> next = documents;
        while (!next.isEmpty()) {
            boolean unused = delivery.deliver(next, document -> Optional.empty(), this);
            delivery.settle(0);
            next = held();
        }
        letters.report();
        return refused;
    }

    private List<Document> held() throws InterruptedException {
        List<Document> due = List.of();
        while (due.isEmpty() && delivery.nextRetry().isPresent()) {
            boolean unused = pause(Duration.ofMillis(5));
            due = delivery.takeDue(Integer.MAX_VALUE, Long.MAX_VALUE);
        }
        return due;
    }

    @Override
    public Optional<List<Document>> enter(List<Document> documents) {
        return Optional.of(documents);
    }

    @Override
    public void leave() {
        // Nobody waits.
    }

    @Override
    public boolean await(BooleanSupplier until) throws InterruptedException {
        while (!until.getAsBoolean()) {
            boolean unused = pause(Duration.ofMillis(5));
        }
        return true;
    }

    @Override
    public boolean pause(Duration duration) throws InterruptedException {
        letters.report(); // as the task thread does meanwhile
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(duration.toMillis()));
        return true;
    }
}
