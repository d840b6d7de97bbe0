package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * The documents that wait for a lane's next batch. A batch is due when it has enough rows or bytes, when the linger
 * time is over, when a flush is requested, or while nothing more comes. The task thread adds, drops and flushes; the
 * lane's thread takes slices.
 */
final class LaneQueue {
    private final LaneSettings settings;
    private final OffsetRequests requests;
    private final Clock clock;
    private final LaneMonitor monitor;

    private final Deque<Document> queue = new ArrayDeque<>(); // guarded by monitor
    private long queuedBytes; // JSON bytes in the queue; guarded by monitor
    private long waitingSince; // when the queue last began to fill; guarded by monitor
    private int inFlight; // documents of the slice that is not finished; guarded by monitor
    private boolean flushRequested; // do not linger; guarded by monitor
    private boolean isFed = true; // otherwise lingering makes no sense; guarded by monitor
    private boolean stopping; // guarded by monitor

    LaneQueue(LaneSettings settings, OffsetRequests requests, Clock clock, LaneMonitor monitor) {
        this.settings = requireNonNull(settings, "settings");
        this.requests = requireNonNull(requests, "requests");
        this.clock = requireNonNull(clock, "clock");
        this.monitor = requireNonNull(monitor, "monitor");
    }

    /** Task thread: adds documents behind all earlier ones. */
    void add(List<Document> documents) {
        synchronized (monitor) {
            if (queue.isEmpty()) {
                waitingSince = clock.nanoTime();
            }
            for (Document document : documents) {
                queue.add(document);
                queuedBytes += document.json().length();
            }
            monitor.changed();
        }
    }

    /** Task thread: says whether more documents may come. While none do, no batch lingers. */
    void feed(boolean mayCome) {
        synchronized (monitor) {
            isFed = mayCome;
            monitor.notifyAll();
        }
    }

    /** Lane thread: whether requests come before the next batch. */
    boolean areRequestsWaiting() {
        synchronized (monitor) {
            return requests.areWaiting();
        }
    }

    /** Any thread: documents that wait or are in flight. */
    int size() {
        synchronized (monitor) {
            return queue.size() + inFlight;
        }
    }

    /**
     * Lane thread: waits until a batch is due or another task is due.
     *
     * @param otherwise when the other task is due, as {@link Clock#nanoTime()}
     * @return false when this thread must leave: there is nothing to wait for, or the lane was stopped
     */
    boolean awaitBatch(OptionalLong otherwise) throws InterruptedException {
        synchronized (monitor) {
            while (!stopping && !requests.areWaiting() && !isBatchDue() && !isOver(otherwise)) {
                if (queue.isEmpty() && otherwise.isEmpty()) {
                    monitor.leave();
                    return false;
                }
                clock.awaitSignal(monitor, left(otherwise));
            }
            if (stopping) {
                monitor.end();
            }
            return !stopping;
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
                        || !isFed
                        || queue.size() >= settings.batchRows()
                        || queuedBytes >= settings.batchBytes()
                        || lingerLeft() <= 0);
    }

    private long lingerLeft() {
        return settings.linger().toNanos() - (clock.nanoTime() - waitingSince);
    }

    /** Lane thread: like {@link #takeSlice()}, but takes nothing while the next batch is not due. */
    List<Document> takeDueSlice() {
        synchronized (monitor) {
            return isBatchDue() ? takeSlice() : List.of();
        }
    }

    /** Lane thread: the documents of the next batch, in flight until {@link #finish}. */
    List<Document> takeSlice() {
        synchronized (monitor) {
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
        }
    }

    /** Lane thread: the slice is no longer in flight. */
    void finish() {
        synchronized (monitor) {
            inFlight = 0;
            monitor.notifyAll();
        }
    }

    /** Task thread: whether no batch lingers, until the next {@link #flush} has ended. */
    void hurry(boolean isRequested) {
        synchronized (monitor) {
            flushRequested = isRequested;
            monitor.notifyAll();
        }
    }

    /**
     * Task thread: waits until nothing is queued or in flight. No batch lingers meanwhile.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @param blocked whether it makes no sense to wait; a change is signalled through the monitor
     */
    void flush(long deadline, BooleanSupplier blocked) throws InterruptedException {
        synchronized (monitor) {
            hurry(true);
            long left;
            try {
                while ((inFlight > 0 || !queue.isEmpty() || requests.arePending())
                        && !blocked.getAsBoolean()
                        && (left = deadline - clock.nanoTime()) > 0) {
                    clock.awaitSignal(monitor, left);
                }
            } finally {
                flushRequested = false;
            }
        }
    }

    /**
     * Task thread: removes the documents of revoked partitions.
     *
     * @return how many bytes they held
     */
    long dropRevoked() {
        long bytesHeld = 0;
        synchronized (monitor) {
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
        }
    }

    /** Any thread: no further batch becomes due. */
    void stop() {
        synchronized (monitor) {
            stopping = true;
            monitor.stop();
        }
    }
}
