package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.lane.Batch;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Writes documents as a lane of the sink does: with its writer, its splitting of rejected batches and its refusals. It
 * does not wait for a server that is down. One thread uses it.
 */
final class SinkWriter {
    private static final RetrySettings FEW =
            new RetrySettings(5, Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofMinutes(1));

    private final Delivery delivery;
    private final DeadLetters letters;
    private final boolean lastWriteWins;

    /**
     * A writer.
     *
     * @param target names the store in messages
     * @param lastWriteWins as in {@link io.tidegate.connect.common.spi.Target#lastWriteWins}
     */
    SinkWriter(BatchWriter writer, String target, boolean lastWriteWins) {
        this.lastWriteWins = lastWriteWins;
        this.letters = new DeadLetters(
                Optional.of((record, error) -> CompletableFuture.completedFuture(null)), true, Clock.SYSTEM);
        this.delivery = new Delivery(
                writer,
                new Delivery.Rules(target, false, false, ErrorOverrides.NONE),
                new RetryPolicy(FEW),
                letters,
                Clock.SYSTEM,
                () -> 1.0,
                new PostponedDestinations(target, Clock.SYSTEM),
                AttemptObserver.NONE);
    }

    /**
     * Writes the documents in order.
     *
     * @return how many of them the server refused
     */
    long write(List<Document> documents) throws ToolException, InterruptedException {
        if (documents.isEmpty()) {
            return 0;
        }
        long before = letters.refused();
        Batch batch = Batch.of(documents, lastWriteWins);
        try {
            if (!delivery.deliver(batch.documents(), batch::supersededBy, new Uninterrupted())) {
                throw new ToolException("the server did not take what the sink would have written");
            }
            if (delivery.nextRetry().isPresent()) {
                throw new ToolException("the server does not take some of what the sink would have written now");
            }
            letters.report();
        } catch (ConnectException e) {
            throw new ToolException(e.getMessage(), e);
        }
        return letters.refused() - before;
    }

    /** Nobody revokes a partition of an audit. */
    private static final class Uninterrupted implements Delivery.Gate {
        @Override
        public Optional<List<Document>> enter(List<Document> documents) {
            return Optional.of(documents);
        }

        @Override
        public void leave() {
            // Nothing waits for the end of an attempt.
        }

        @Override
        public boolean pause(Duration duration) throws InterruptedException {
            return !Clock.SYSTEM.await(new CompletableFuture<Void>(), duration.toNanos());
        }

        @Override
        public boolean await(BooleanSupplier until) {
            throw new UnsupportedOperationException("nothing waits for the reports of refused records");
        }
    }
}
