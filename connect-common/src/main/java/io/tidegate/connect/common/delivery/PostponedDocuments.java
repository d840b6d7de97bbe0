package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The documents that one lane postpones because the server accepts nothing for their destinations now. Other
 * destinations continue. Later documents of such a destination are queued behind the earlier ones. Each destination is
 * tried again after its own pause. Nothing here has a bound: the bytes count as held by the task, which pauses its
 * partitions. The lane's thread uses it; the task thread drops documents of revoked partitions.
 */
final class PostponedDocuments {
    private final PostponedDestinations destinations;
    private final RetryPolicy policy;
    private final Clock clock;
    private final DoubleSupplier dice;
    private final Map<String, PostponedQueue> queues = new LinkedHashMap<>(); // guarded by this
    private Set<Progress> published = Set.of(); // lane thread
    private long bytesAdded; // guarded by this

    PostponedDocuments(PostponedDestinations destinations, RetryPolicy policy, Clock clock, DoubleSupplier dice) {
        this.destinations = requireNonNull(destinations, "destinations");
        this.policy = requireNonNull(policy, "policy");
        this.clock = requireNonNull(clock, "clock");
        this.dice = requireNonNull(dice, "dice");
    }

    /** The destinations whose postponed documents must be sent before their other documents. */
    synchronized Set<String> closed() {
        Set<String> closed = new HashSet<>();
        for (PostponedQueue queue : queues.values()) {
            if (!queue.isOpen()) {
                closed.add(queue.destination());
            }
        }
        return closed;
    }

    /** The server accepts nothing for these destinations now; the reasons are given. */
    synchronized void failed(Map<String, String> reasons) {
        reasons.forEach((destination, reason) -> {
            PostponedQueue queue = queues.get(destination);
            if (queue == null) {
                queue = new PostponedQueue(destination, clock.nanoTime());
                queues.put(destination, queue);
                destinations.begins(destination);
            }
            queue.failed();
            destinations.failed(destination, reason);
        });
    }

    /**
     * Keeps documents of a closed destination for later, except those of revoked partitions. They are tried again in one
     * step.
     *
     * @param chain documents with one key, each superseded by the next
     */
    synchronized void add(Collection<Document> chain) {
        boolean isSuperseding = false;
        for (Document document : chain) {
            if (!document.progress().isRevoked()) {
                queues.get(document.destination()).add(document, isSuperseding);
                bytesAdded += document.bytesHeld();
                destinations.postponed(document.destination(), 1, document.bytesHeld());
                isSuperseding = true;
            }
        }
    }

    /** Bytes of the documents that were added since the last call, including those that were dropped meanwhile. */
    synchronized long takeBytesAdded() {
        long bytes = bytesAdded;
        bytesAdded = 0;
        return bytes;
    }

    /** When to try again, as {@link Clock#nanoTime()}; empty when no document waits. */
    synchronized OptionalLong nextRetry() {
        long now = clock.nanoTime();
        return queues.values().stream().mapToLong(queue -> queue.retryAt() - now).min().stream()
                .map(left -> now + left)
                .findFirst();
    }

    /** Returns the documents to try again now, in order. {@link #settle} must follow. */
    synchronized List<Document> takeDue(int rows, long bytes) {
        List<Document> due = new ArrayList<>();
        long now = clock.nanoTime();
        long left = bytes;
        for (Iterator<PostponedQueue> each = queues.values().iterator(); each.hasNext(); ) {
            PostponedQueue queue = each.next();
            if (queue.isDue(now)) {
                int before = due.size();
                left -= queue.moveTo(due, rows, left);
                due.subList(before, due.size())
                        .forEach(document -> destinations.postponed(queue.destination(), -1, -document.bytesHeld()));
                if (queue.isEmpty() && !queue.isOpen()) { // all its documents were revoked
                    each.remove();
                    destinations.ends(queue.destination());
                }
            }
        }
        return due;
    }

    /**
     * Ends the attempts of a step. Documents that failed again are postponed again, and commits stay below every postponed
     * document.
     *
     * @param lane the number under which offsets are acknowledged
     * @throws ConnectException when a destination has failed too often or for too long
     */
    synchronized void settle(int lane) {
        if (queues.isEmpty() && published.isEmpty()) {
            return;
        }
        long now = clock.nanoTime();
        for (PostponedQueue queue : List.copyOf(queues.values())) {
            boolean wasOpen = queue.isOpen();
            if (queue.settle(now)) {
                queue.retryAt(now + pause(queue, now).toNanos());
            }
            if (queue.isEmpty()) {
                queues.remove(queue.destination());
                destinations.ends(queue.destination());
            } else if (wasOpen) { // other destinations come first next time
                queues.remove(queue.destination());
                queues.put(queue.destination(), queue);
            }
        }
        publish(lane);
    }

    private Duration pause(PostponedQueue queue, long now) {
        Duration elapsed = Duration.ofNanos(now - queue.since());
        Optional<String> forbidden = policy.forbidden(queue.attempts(), elapsed);
        if (forbidden.isPresent()) {
            throw new ConnectException(
                    destinations.target() + " took nothing for " + queue.destination() + " in " + queue.attempts()
                            + " attempts over " + elapsed.toMillis() + " ms, and " + forbidden.get()
                            + " allows no more: " + destinations.reason(queue.destination()));
        }
        return policy.pause(queue.attempts(), dice.getAsDouble(), Optional.empty());
    }

    private void publish(int lane) {
        Map<Progress, Long> lowest = new HashMap<>();
        for (PostponedQueue queue : queues.values()) {
            queue.lowest().forEach((progress, offset) -> lowest.merge(progress, offset, Math::min));
        }
        for (Progress progress : published) {
            if (!lowest.containsKey(progress)) {
                progress.postponeNothing(lane);
            }
        }
        lowest.forEach((progress, offset) -> progress.postpone(lane, offset));
        published = Set.copyOf(lowest.keySet());
    }

    /**
     * Task thread: forgets documents of revoked partitions.
     *
     * @return how many bytes they held
     */
    synchronized long dropRevoked() {
        long bytes = 0;
        for (PostponedQueue queue : queues.values()) {
            List<Document> dropped = queue.dropRevoked();
            long held = dropped.stream().mapToLong(Document::bytesHeld).sum();
            destinations.postponed(queue.destination(), -dropped.size(), -held);
            bytes += held;
        }
        return bytes;
    }
}
