package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The documents that wait for a lane's next batch. A batch is due when it has enough rows or bytes, when the linger
 * time is over, or when a flush is requested. The task thread adds, drops and flushes; the lane's thread takes slices.
 */
final class LaneQueue {
    private final LaneSettings settings;
    private final Clock clock;
    private final ReentrantLock lock; // the lane's
    private final Condition changed;

    private final Deque<Document> queue = new ArrayDeque<>(); // guarded by lock
    private final OffsetRequests requests = new OffsetRequests(); // guarded by lock
    private long queuedBytes; // JSON bytes in the queue; guarded by lock
    private long waitingSince; // when the queue last began to fill; guarded by lock
    private int inFlight; // documents of the slice that is not finished; guarded by lock
    private boolean flushRequested; // do not linger; guarded by lock
    private boolean stopping; // guarded by lock

    LaneQueue(LaneSettings settings, Clock clock, ReentrantLock lock, Condition changed) {
        this.settings = requireNonNull(settings, "settings");
        this.clock = requireNonNull(clock, "clock");
        this.lock = requireNonNull(lock, "lock");
        this.changed = requireNonNull(changed, "changed");
    }

    /** Task thread: adds documents behind all earlier ones. */
    void add(List<Document> documents) {
        lock.lock();
        try {
            if (queue.isEmpty()) {
                waitingSince = clock.nanoTime();
            }
            for (Document document : documents) {
                queue.add(document);
                queuedBytes += document.json().length();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: requests that the server is asked where these partitions continue. */
    void requestClaim(Collection<Progress> partitions) {
        lock.lock();
        try {
            requests.claim(partitions);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: requests that the server's books get this next offset. */
    void requestStore(Progress partition, long nextOffset) {
        lock.lock();
        try {
            requests.store(partition, nextOffset);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: requests that the server is asked whether it still has what was written. */
    void requestVerification() {
        lock.lock();
        try {
            requests.verify();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lane thread: whether a verification is requested. */
    boolean takeVerification() {
        lock.lock();
        try {
            return requests.takeVerification();
        } finally {
            lock.unlock();
        }
    }

    /** Lane thread: the requested claims, in flight until {@link #finish}. */
    List<Progress> takeClaims() {
        lock.lock();
        try {
            return requests.takeClaims();
        } finally {
            lock.unlock();
        }
    }

    /** Lane thread: the requested offsets, in flight until {@link #finish}. */
    Map<Progress, Long> takeStores() {
        lock.lock();
        try {
            return requests.takeStores();
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: documents that wait or are in flight. */
    int size() {
        lock.lock();
        try {
            return queue.size() + inFlight;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lane thread: waits until a batch is due or another task is due.
     *
     * @param otherwise when the other task is due, as {@link Clock#nanoTime()}
     * @return false when the lane must stop
     */
    boolean awaitBatch(OptionalLong otherwise) throws InterruptedException {
        lock.lock();
        try {
            while (!stopping && !requests.areWaiting() && !isBatchDue() && !isOver(otherwise)) {
                if (queue.isEmpty() && otherwise.isEmpty()) {
                    changed.await();
                } else {
                    clock.await(changed, left(otherwise));
                }
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(OptionalLong deadline) {
        return deadline.isPresent() && deadline.getAsLong() - clock.nanoTime() <= 0;
    }

    private long left(OptionalLong otherwise) {
        long linger = queue.isEmpty() ? Long.MAX_VALUE : lingerLeft();
        return otherwise.isEmpty() ? linger : Math.min(linger, otherwise.getAsLong() - clock.nanoTime());
    }

    private boolean isBatchDue() {
        return !queue.isEmpty()
                && (flushRequested
                        || queue.size() >= settings.batchRows()
                        || queuedBytes >= settings.batchBytes()
                        || lingerLeft() <= 0);
    }

    private long lingerLeft() {
        return settings.linger().toNanos() - (clock.nanoTime() - waitingSince);
    }

    /** Lane thread: like {@link #takeSlice()}, but takes nothing while the next batch is not due. */
    List<Document> takeDueSlice() {
        lock.lock();
        try {
            return isBatchDue() ? takeSlice() : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Lane thread: the documents of the next batch, in flight until {@link #finish}. */
    List<Document> takeSlice() {
        lock.lock();
        try {
            List<Document> slice = new ArrayList<>(Math.min(queue.size(), settings.batchRows()));
            long bytes = 0;
            while (!queue.isEmpty() && slice.size() < settings.batchRows()) {
                int size = queue.peek().json().length();
                if (!slice.isEmpty() && bytes + size > settings.batchBytes()) {
                    break;
                }
                bytes += size;
                slice.add(queue.remove());
            }
            queuedBytes -= bytes;
            waitingSince = clock.nanoTime();
            inFlight = slice.size();
            return slice;
        } finally {
            lock.unlock();
        }
    }

    /** Lane thread: the slice is no longer in flight. */
    void finish() {
        lock.lock();
        try {
            inFlight = 0;
            requests.finish();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Task thread: waits until nothing is queued or in flight. No batch lingers meanwhile.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @param blocked whether it makes no sense to wait; a change is signalled through the condition
     */
    void flush(long deadline, BooleanSupplier blocked) throws InterruptedException {
        lock.lock();
        try {
            flushRequested = true;
            changed.signalAll();
            long left;
            while ((inFlight > 0 || !queue.isEmpty() || requests.arePending())
                    && !blocked.getAsBoolean()
                    && (left = deadline - clock.nanoTime()) > 0) {
                clock.await(changed, left);
            }
        } finally {
            flushRequested = false;
            lock.unlock();
        }
    }

    /**
     * Task thread: removes the documents of revoked partitions.
     *
     * @return how many bytes they held
     */
    long dropRevoked() {
        long bytesHeld = 0;
        lock.lock();
        try {
            List<Document> kept = new ArrayList<>(queue.size());
            for (Document document : queue) {
                if (document.progress()
                        .isRevoked()) { // asked once, because the lane's thread may give up a partition meanwhile
                    bytesHeld += document.bytesHeld();
                    queuedBytes -= document.json().length();
                } else {
                    kept.add(document);
                }
            }
            queue.clear();
            queue.addAll(kept);
            return bytesHeld;
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: no further batch becomes due. */
    void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
