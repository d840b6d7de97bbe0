package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
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
 * tried again after its own pause. If the server keeps offsets, later documents of a partition are queued, too, whatever
 * their destination is: the server's offset cannot pass a document that is not written. Nothing here has a bound: the bytes
 * count as held by the task, which pauses its partitions. The lane's thread uses it; the task thread drops documents of
 * revoked partitions.
 */
final class PostponedDocuments {
    private final PostponedDestinations destinations;
    private final RetryPolicy policy;
    private final Clock clock;
    private final DoubleSupplier dice;
    private final boolean keepsOffsets;
    private final Map<String, PostponedQueue> queues = new LinkedHashMap<>(); // guarded by this
    // If the server keeps offsets, the only queue that may have documents of a partition; guarded by this
    private final Map<Progress, PostponedQueue> queueOf = new HashMap<>();
    // From which queue partitions have moved in this step; guarded by this
    private final Map<Progress, PostponedQueue> moved = new HashMap<>();
    private Set<Progress> published = Set.of(); // lane thread
    private long bytesAdded; // guarded by this

    /** For one lane. */
    PostponedDocuments(
            PostponedDestinations destinations,
            RetryPolicy policy,
            Clock clock,
            DoubleSupplier dice,
            boolean keepsOffsets) {
        this.keepsOffsets = keepsOffsets;
        this.destinations = requireNonNull(destinations, "destinations");
        this.policy = requireNonNull(policy, "policy");
        this.clock = requireNonNull(clock, "clock");
        this.dice = requireNonNull(dice, "dice");
    }

    /**
     * What may be sent of some documents.
     *
     * @param now may be sent
     * @param behind come after these in their partitions, and must not be looked at before these are done
     * @param waiting must wait for documents that are postponed; {@link #add} must follow for each
     */
    record Sorted(List<Document> now, List<Document> behind, List<Document> waiting) {}

    /** Sorts documents, each list in their order. */
    synchronized Sorted sorted(List<Document> documents) {
        if (queues.values().stream().allMatch(PostponedQueue::isOpen)) {
            return new Sorted(documents, List.of(), List.of());
        }
        Map<Place, List<Document>> sorted = new EnumMap<>(Place.class);
        Map<Progress, Place> last = new HashMap<>(); // of each partition, if the server keeps offsets
        for (Document document : documents) {
            Place before = last.getOrDefault(document.progress(), Place.NONE);
            Place place = before;
            if (before == Place.NONE || before == Place.NOW) {
                place = !isClosed(document) ? Place.NOW : before == Place.NONE ? Place.WAITING : Place.BEHIND;
            }
            sorted.computeIfAbsent(place, each -> new ArrayList<>()).add(document);
            if (keepsOffsets) {
                last.put(document.progress(), place);
            }
        }
        return new Sorted(
                sorted.getOrDefault(Place.NOW, List.of()),
                sorted.getOrDefault(Place.BEHIND, List.of()),
                sorted.getOrDefault(Place.WAITING, List.of()));
    }

    private enum Place {
        NONE,
        NOW,
        BEHIND,
        WAITING
    }

    private boolean isClosed(Document document) {
        PostponedQueue ofPartition = queueOf.get(document.progress());
        PostponedQueue ofDestination = queues.get(document.destination());
        if (ofPartition == null) {
            return ofDestination != null && !ofDestination.isOpen();
        }
        // Documents of an open queue are tried for any destination. If it is closed, they move to its queue.
        return !ofPartition.isOpen() || (ofDestination != null && ofDestination.hasFailed());
    }

    /** Whether the server accepts nothing for this destination since its last failure. */
    synchronized boolean isPostponing(String destination) {
        return queues.containsKey(destination);
    }

    /**
     * The server accepts nothing for these destinations now.
     *
     * @param reasons by destination
     * @param nanos how long the attempt took, if that held up other destinations; otherwise 0
     */
    synchronized void failed(Map<String, String> reasons, long nanos) {
        reasons.forEach((destination, reason) -> {
            PostponedQueue queue = queues.get(destination);
            if (queue == null) {
                queue = new PostponedQueue(destination, clock.nanoTime());
                queues.put(destination, queue);
                destinations.begins(destination, nanos);
            }
            queue.failed(nanos);
            destinations.failed(destination, reason, queue.tried());
        });
    }

    /**
     * Keeps documents that must wait, except those of revoked partitions. They are tried again in one step.
     *
     * @param chain documents with one key, each superseded by the next
     */
    synchronized void add(Collection<Document> chain) {
        boolean isSuperseding = false;
        for (Document document : chain) {
            if (!document.progress().isRevoked()) {
                PostponedQueue queue = queueFor(document);
                if (moved.containsKey(document.progress())) {
                    queue.append(document);
                } else {
                    queue.add(document, isSuperseding);
                }
                bytesAdded += document.bytesHeld();
                destinations.postponed(queue.destination(), 1, document.bytesHeld());
                isSuperseding = true;
            }
        }
    }

    private PostponedQueue queueFor(Document document) {
        PostponedQueue ofDestination = queues.get(document.destination());
        if (!keepsOffsets) {
            return ofDestination;
        }
        PostponedQueue queue = queueOf.computeIfAbsent(document.progress(), progress -> ofDestination);
        if (!queue.isOpen()) {
            if (moved.containsKey(document.progress())) {
                moved.get(document.progress()).moved();
            }
            return queue;
        }
        // It was taken from there, but waits for another destination. Its partition waits for that one from now on.
        moved.put(document.progress(), queue);
        queue.moved();
        queueOf.put(document.progress(), ofDestination);
        return ofDestination;
    }

    /** What is left of partitions in the queues that they have left. It follows what was tried and has failed. */
    private void moveRest() {
        moved.forEach((progress, from) -> {
            PostponedQueue to = queueOf.get(progress);
            for (Document document : from.remove(progress)) {
                to.append(document);
                destinations.postponed(from.destination(), -1, -document.bytesHeld());
                destinations.postponed(to.destination(), 1, document.bytesHeld());
            }
        });
        moved.clear();
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
        moveRest();
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
        if (forbidden.isPresent() && !queue.isSeekingSize()) {
            throw new ConnectException(
                    destinations.target() + " accepted no writes to " + queue.destination() + " in " + queue.attempts()
                            + " attempts over " + elapsed.toMillis() + " ms, and " + forbidden.get()
                            + " allows no more: " + destinations.reason(queue.destination()));
        }
        Duration pause = policy.pause(queue.attempts(), dice.getAsDouble(), Optional.empty());
        Duration fair = policy.bounded(queue.fairPause());
        return pause.compareTo(fair) < 0 ? fair : pause;
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
        queueOf.keySet().retainAll(published);
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
