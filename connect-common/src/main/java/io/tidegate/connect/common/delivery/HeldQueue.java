package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What one lane holds back for one destination, in order. While some of it is tried again the destination is open: what comes
 * back goes before what still waits. Guarded by its {@link HeldDocuments}.
 */
final class HeldQueue {
    /** Most documents by which a destination is tried that took none twice: they are sent in vain, most likely. */
    private static final int PROBE_ROWS = 20;

    private final String destination;
    private final Deque<Document> waiting = new ArrayDeque<>();
    private final List<Document> returned = new ArrayList<>(); // of those that are tried
    private final Map<Progress, Long> lowest = new HashMap<>(); // of each partition; not above it
    private boolean isLowestStale;
    private int tried; // by the present attempt
    private boolean open;
    private boolean failed; // since it was settled last
    private int attempts; // in a row that wrote nothing
    private long since; // nanoTime of the first of them
    private long retryAt; // nanoTime

    HeldQueue(String destination, long now) {
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

    /** The server takes nothing for it now. */
    void failed() {
        failed = true;
        open = false;
    }

    void add(Document document) {
        if (tried > 0) {
            returned.add(document);
        } else {
            waiting.add(document);
        }
        lowest.merge(document.progress(), document.offset(), Math::min);
    }

    boolean isDue(long now) {
        return !open && now - retryAt >= 0;
    }

    long retryAt() {
        return retryAt;
    }

    /**
     * Adds to the slice what fits, to be tried again; a first document always does.
     *
     * @param bytes that the slice may still grow by
     * @return bytes of those added
     */
    long moveTo(List<Document> slice, int rows, long bytes) {
        int most = Math.min(rows, slice.size() + (attempts > 1 ? PROBE_ROWS : rows));
        long moved = 0;
        while (!waiting.isEmpty() && slice.size() < most) {
            int size = waiting.peek().json().length;
            if (!slice.isEmpty() && moved + size > bytes) {
                break;
            }
            moved += size;
            slice.add(waiting.remove());
            tried++;
        }
        open |= tried > 0;
        return moved;
    }

    /**
     * The attempt is over.
     *
     * @return whether it failed, so that {@link #retryAt(long)} must follow
     */
    boolean settle(long now) {
        if (tried == 0 && !failed) {
            return false;
        }
        if (failed && tried > 0 && returned.size() == tried) {
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
        // Asked once: the lane's thread may give a partition up meanwhile.
        Predicate<Document> isRevoked = document -> document.progress().isRevoked() && dropped.add(document);
        waiting.removeIf(isRevoked);
        returned.removeIf(isRevoked);
        isLowestStale |= !dropped.isEmpty();
        return dropped;
    }

    /** By partition an offset at or below the lowest that waits. */
    Map<Progress, Long> lowest() {
        if (isLowestStale) {
            lowest.clear();
            waiting.forEach(document -> lowest.merge(document.progress(), document.offset(), Math::min));
            isLowestStale = false;
        }
        return lowest;
    }
}
