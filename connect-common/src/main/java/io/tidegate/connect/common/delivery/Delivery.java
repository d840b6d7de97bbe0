package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.RefusedException;
import io.tidegate.connect.common.spi.WriteException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Brings documents to the server, whatever it takes: the only place that retries, splits and refuses. A lane's thread
 * uses it. The documents of a batch are written in order, and none is written after one that is still to be retried.
 */
public final class Delivery {
    private final BatchWriter writer;
    private final RetryPolicy policy;
    private final DeadLetters letters;
    private final Clock clock;
    private final DoubleSupplier dice;
    private final Outage outage;
    private final String target;

    /** How a delivery waits, and learns that it need not go on. */
    public interface Pauses {
        /**
         * Waits, but no longer than until the lane is to stop or a partition is revoked.
         *
         * @return false when the lane is to stop: what is left is given up, not acknowledged
         */
        boolean pause(Duration duration) throws InterruptedException;
    }

    /**
     * A lane's delivery.
     *
     * @param dice from 0 (inclusive) to 1 (exclusive), for the jitter of pauses
     * @param target names the server and destination in messages
     */
    public Delivery(
            BatchWriter writer,
            RetryPolicy policy,
            DeadLetters letters,
            Clock clock,
            DoubleSupplier dice,
            String target) {
        this.writer = requireNonNull(writer, "writer");
        this.policy = requireNonNull(policy, "policy");
        this.letters = requireNonNull(letters, "letters");
        this.clock = requireNonNull(clock, "clock");
        this.dice = requireNonNull(dice, "dice");
        this.target = requireNonNull(target, "target");
        this.outage = new Outage(target);
    }

    /**
     * Writes or refuses every document, but for those whose partition is revoked meanwhile.
     *
     * @param supersededBy the earlier document with the same key that a document made pointless: it is written after all
     *     when the later one is refused
     * @return false when the lane was told to stop before all was done
     * @throws ConnectException when the task has to fail; it says why and what to change
     */
    public boolean deliver(List<Document> documents, Function<Document, Optional<Document>> supersededBy, Pauses pauses)
            throws InterruptedException {
        Deque<List<Document>> parts = new ArrayDeque<>();
        parts.push(documents);
        while (!parts.isEmpty()) {
            List<Document> part = stillOurs(parts.pop());
            if (part.isEmpty()) {
                continue;
            }
            try {
                List<Refusal> refusals = writer.write(part);
                outage.over(clock.nanoTime());
                refuse(refusals, supersededBy, parts);
            } catch (WriteException e) {
                if (!recover(e, part, supersededBy, parts, pauses)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Any thread: whether the last attempt found the server unable to write. */
    public boolean isInOutage() {
        return outage.isOngoing();
    }

    /** The documents less those whose partition is revoked: their next owner writes them. */
    public static List<Document> stillOurs(List<Document> documents) {
        for (Document document : documents) {
            if (document.progress().isRevoked()) {
                return documents.stream()
                        .filter(each -> !each.progress().isRevoked())
                        .toList();
            }
        }
        return documents;
    }

    private boolean recover(
            WriteException e,
            List<Document> part,
            Function<Document, Optional<Document>> supersededBy,
            Deque<List<Document>> parts,
            Pauses pauses)
            throws InterruptedException {
        List<Document> unwritten = e.unwritten();
        switch (e.failure()) {
            case TRANSIENT -> {
                if (!unwritten.isEmpty()) {
                    parts.push(unwritten);
                }
                refuse(e.refusals(), supersededBy, parts);
                return pauses.pause(nextPause(e, part));
            }
            case REJECTED -> {
                outage.over(clock.nanoTime());
                refuse(e.refusals(), supersededBy, parts);
                split(e, unwritten, supersededBy, parts);
                return true;
            }
            case FATAL ->
                throw new ConnectException(
                        target + " refused " + Extent.of(part) + " and will not take them before something is changed: "
                                + e.getMessage(),
                        e);
        }
        throw new AssertionError(e.failure());
    }

    private Duration nextPause(WriteException e, List<Document> part) {
        long now = clock.nanoTime();
        outage.failed(now, Extent.of(part), e.getMessage());
        int attempts = outage.attempts();
        Duration elapsed = outage.elapsed(now);
        Optional<String> forbidden = policy.forbidden(attempts, elapsed);
        if (forbidden.isPresent()) {
            throw new ConnectException(
                    target + " could not take " + Extent.of(part) + " in " + attempts + " attempts over "
                            + elapsed.toMillis() + " ms, and " + forbidden.get() + " allows no more: " + e.getMessage(),
                    e);
        }
        return policy.pause(attempts, dice.getAsDouble(), e.retryAfter());
    }

    private void split(
            WriteException e,
            List<Document> unwritten,
            Function<Document, Optional<Document>> supersededBy,
            Deque<List<Document>> parts) {
        if (unwritten.size() == 1) {
            Document alone = unwritten.get(0);
            refuse(
                    List.of(new Refusal(alone, new RefusedException(e.getMessage(), e.getCause()))),
                    supersededBy,
                    parts);
        } else if (!unwritten.isEmpty()) {
            int half = unwritten.size() / 2;
            parts.push(unwritten.subList(half, unwritten.size()));
            parts.push(unwritten.subList(0, half));
        }
    }

    private void refuse(
            List<Refusal> refusals, Function<Document, Optional<Document>> supersededBy, Deque<List<Document>> parts) {
        for (Refusal refusal : refusals) {
            Document document = refusal.document();
            letters.add(document.progress(), document.record(), refusal.reason());
            supersededBy.apply(document).ifPresent(earlier -> parts.push(List.of(earlier)));
        }
    }
}
