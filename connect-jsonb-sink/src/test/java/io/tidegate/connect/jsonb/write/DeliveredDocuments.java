package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
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

    private Runnable meanwhile;

    private DeliveredDocuments(Runnable meanwhile) {
        this.meanwhile = meanwhile;
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
        DeliveredDocuments delivered = new DeliveredDocuments(meanwhile);
        delivered.deliver(settings, documents);
        return delivered.refused;
    }

    private void deliver(Map<String, String> settings, List<Document> documents) {
        RetryPolicy policy = new RetryPolicy(
                new RetrySettings(RetrySettings.UNLIMITED, Duration.ofMillis(5), Duration.ofMillis(50), Duration.ZERO));
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            Delivery delivery = new Delivery(
                    writer,
                    Delivery.Rules.of(target),
                    policy,
                    letters,
                    Clock.SYSTEM,
                    Math::random,
                    new PostponedDestinations(target.description(), Clock.SYSTEM),
                    AttemptObserver.NONE);
            if (writer.offsets().isPresent()) {
                boolean unused = delivery.claim(
                                documents.stream()
                                        .map(Document::progress)
                                        .distinct()
                                        .toList(),
                                this)
                        .isPresent();
            }
            List<Document> next = documents;
            while (!next.isEmpty()) {
                boolean unused = delivery.deliver(next, document -> Optional.empty(), this);
                delivery.settle(0);
                next = held(delivery);
            }
            letters.report();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private List<Document> held(Delivery delivery) throws InterruptedException {
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
