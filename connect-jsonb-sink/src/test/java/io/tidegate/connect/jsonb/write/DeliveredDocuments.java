package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.HeldDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.jsonb.PostgresTargetType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Delivers documents as a lane does, retries and refusals included, and keeps what was refused. One thread. */
final class DeliveredDocuments implements Delivery.Gate {
    private final Map<Long, RefusedException> refused = new TreeMap<>();
    private final DeadLetters letters = new DeadLetters(
            Optional.of((record, error) -> {
                refused.put(record.originalKafkaOffset(), (RefusedException) error);
                return CompletableFuture.completedFuture(null);
            }),
            true,
            Clock.SYSTEM);

    /** What became of these documents: the refused ones by offset, as the dead letter queue gets them. */
    static Map<Long, RefusedException> refusals(Map<String, String> settings, List<Document> documents) {
        DeliveredDocuments delivered = new DeliveredDocuments();
        delivered.deliver(settings, documents);
        return delivered.refused;
    }

    private void deliver(Map<String, String> settings, List<Document> documents) {
        RetryPolicy policy = new RetryPolicy(
                new RetrySettings(RetrySettings.UNLIMITED, Duration.ofMillis(5), Duration.ofMillis(50), Duration.ZERO));
        try (Target target = new PostgresTargetType().open(settings);
                BatchWriter writer = target.openWriter(0)) {
            boolean unused = new Delivery(
                            writer,
                            policy,
                            letters,
                            Clock.SYSTEM,
                            Math::random,
                            target.description(),
                            target.keepsOffsets() ? Delivery.Refusals.REPORTED_FIRST : Delivery.Refusals.PASSED,
                            new HeldDestinations(target.description(), Clock.SYSTEM))
                    .deliver(documents, document -> Optional.empty(), this);
            letters.report();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
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
    public boolean pause(Duration duration) throws InterruptedException {
        letters.report(); // as the task thread does meanwhile
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(duration.toMillis()));
        return true;
    }
}
