package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The documents that one lane postpones for one destination, in order. The destination is open while some of them are
 * tried again. Those that fail again are put before those that still wait. Guarded by its {@link PostponedDocuments}.
 */
final class PostponedQueue {
    /** The pause after a slow attempt, as a multiple: so such a destination takes a fifth of the lane's time, or a little more. */
    private static final int FAIR = 4;

    private static final Duration LONGEST_FAIR = Duration.ofMinutes(2);

    private final String destination;
    private final Deque<Document> waiting = new ArrayDeque<>();
    private final Set<Document> superseding = new HashSet<>(); // each is tried together with the one before it
    private final List<Document> returned = new ArrayList<>(); // documents that were tried and failed again
    private final Map<Progress, Long> lowest = new HashMap<>(); // at or below the lowest that waits, by partition
    private final TrialSize size = new TrialSize();
    private boolean isLowestStale;
    private int tried; // in the present attempt
    private int triedKeys; // of these, without those that go with the one before them
    private int moved; // of these, to other queues
    private boolean open;
    private boolean failed; // since the last settle
    private int attempts; // attempts in a row that wrote nothing
    private long since; // nanoTime of the first of these attempts
    private long retryAt; // nanoTime
    private long took; // nanoseconds, of the attempt that has failed last, if it was slow; otherwise 0
    private boolean isSeekingSize; // the last attempt was slow, and had more than one document

    PostponedQueue(String destination, long now) {
        this.destination = requireNonNull(destination, "destination");
        this.since = now;
    }

    String destination() {
        return destination;
    }

    /** Whether its documents may be sent. */
    boolean isOpen() {
        return open;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && returned.isEmpty();
    }

    /** Whether the present attempt has shown that the server accepts nothing for this destination. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * The server accepts nothing for this destination now.
     *
     * @param nanos how long the attempt took, if that held up other destinations; otherwise 0
     */
    void failed(long nanos) {
        failed = true;
        open = false;
        took = nanos;
    }

    /** Whether fewer documents may be taken, so that the last failure says nothing about the destination. */
    boolean isSeekingSize() {
        return isSeekingSize;
    }

    /** How many documents the present attempt tries. */
    int tried() {
        return tried;
    }

    /** The shortest pause that leaves others their time. */
    Duration fairPause() {
        Duration fair = Duration.ofNanos(took).multipliedBy(FAIR);
        return fair.compareTo(LONGEST_FAIR) < 0 ? fair : LONGEST_FAIR;
    }

    /**
     * Adds a document.
     *
     * @param isSuperseding whether it replaces the document with the same key that was added before. If it has reached the
     *     server unnoticed, the earlier one alone would undo it, so they are tried together
     */
    void add(Document document, boolean isSuperseding) {
        if (isSuperseding) {
            superseding.add(document);
        }
        if (tried > 0) {
            returned.add(document);
        } else {
            waiting.add(document);
        }
        lowest.merge(document.progress(), document.offset(), Math::min);
    }

    /** Adds a document of a partition that waited in another queue. It comes last, whatever is tried now. */
    void append(Document document) {
        waiting.add(document);
        lowest.merge(document.progress(), document.offset(), Math::min);
    }

    /** One of the documents that are tried goes to another queue. */
    void moved() {
        moved++;
    }

    /** Forgets the documents of a partition that waits in another queue now, and returns them in order. */
    List<Document> remove(Progress progress) {
        List<Document> removed = new ArrayList<>();
        waiting.removeIf(document -> document.progress() == progress && removed.add(document));
        removed.forEach(superseding::remove);
        isLowestStale = true;
        return removed;
    }

    boolean isDue(long now) {
        return !open && now - retryAt >= 0;
    }

    long retryAt() {
        return retryAt;
    }

    /**
     * Moves the next documents that fit to the slice, to try them again. If the slice is empty, the first one always
     * fits.
     *
     * @param bytes by which the slice may still grow
     * @return bytes of the documents that were moved
     */
    long moveTo(List<Document> slice, int rows, long bytes) {
        int fitting = slice.size() + Math.min(rows - slice.size(), size.most(attempts));
        long moved = 0;
        while (!waiting.isEmpty()) {
            int length = waiting.peek().json().length();
            boolean fits = slice.size() < fitting && (slice.isEmpty() || moved + length <= bytes);
            boolean goesWithLast = superseding.remove(waiting.peek()) && tried > 0;
            if (!fits && !goesWithLast) {
                break;
            }
            moved += length;
            slice.add(waiting.remove());
            tried++;
            triedKeys += goesWithLast ? 0 : 1;
        }
        open |= tried > 0;
        return moved;
    }

    /**
     * Ends the attempt.
     *
     * @return whether it failed; then {@link #retryAt(long)} must follow
     */
    boolean settle(long now) {
        if (tried == 0 && !failed) {
            return false;
        }
        if (tried == 0 && attempts > 0 && now - retryAt < 0) { // met by a document of another queue
            failed = false;
            moved = 0;
            return false;
        }
        if (failed) {
            size.failed(triedKeys, took > 0, attempts);
        } else {
            size.succeeded(tried);
        }
        isSeekingSize = failed && took > 0 && triedKeys != 1;
        boolean isNothingWritten = returned.size() == tried - moved;
        if (failed && isNothingWritten && attempts > 0 && !isSeekingSize) {
            attempts++;
        } else {
            attempts = failed ? 1 : 0;
            since = now;
            retryAt = now;
        }
        isLowestStale |= tried > 0;
        for (int i = returned.size() - 1; i >= 0; i--) {
            waiting.addFirst(returned.get(i));
        }
        returned.clear();
        boolean hasFailed = failed;
        tried = 0;
        triedKeys = 0;
        moved = 0;
        open = false;
        failed = false;
        return hasFailed;
    }

    int attempts() {
        return attempts;
    }

    long since() {
        return since;
    }

    void retryAt(long time) {
        retryAt = time;
    }

    /** Forgets the documents of revoked partitions, and returns them. */
    List<Document> dropRevoked() {
        List<Document> dropped = new ArrayList<>();
        // Asks once, because the lane's thread may give up a partition meanwhile.
        Predicate<Document> isRevoked = document -> document.progress().isRevoked() && dropped.add(document);
        waiting.removeIf(isRevoked);
        returned.removeIf(isRevoked);
        dropped.forEach(superseding::remove);
        isLowestStale |= !dropped.isEmpty();
        return dropped;
    }

    /** By partition, an offset at or below the lowest one that waits. */
    Map<Progress, Long> lowest() {
        if (isLowestStale) {
            lowest.clear();
            waiting.forEach(document -> lowest.merge(document.progress(), document.offset(), Math::min));
            isLowestStale = false;
        }
        return lowest;
    }
}
