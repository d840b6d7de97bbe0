package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.Clock;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue, a thread and a way to the server: takes what has queued up while it was writing, and writes that in order.
 * The task thread gives it documents and takes partitions away; {@link #runOnce()} is one step of its own thread, so
 * tests need none. A document leaves the queue only to be written, refused, or dropped with its revoked partition.
 */
public final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private final int number;
    private final LaneSettings settings;
    private final boolean lastWriteWins;
    private final BatchWriter writer;
    private final Delivery delivery;
    private final Clock clock;
    private final LongConsumer released;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Document> queue = new ArrayDeque<>(); // guarded by lock
    private long queuedBytes; // JSON bytes in the queue; guarded by lock
    private long waitingSince; // when the queue last began to fill; guarded by lock
    private List<Document> attempted = List.of(); // what is on its way to the server; guarded by lock
    private boolean revokedSince; // a partition was taken away since the last attempt began; guarded by lock
    private int inHand; // documents of the batch that is taken and not done; guarded by lock
    private boolean hurried; // do not linger; guarded by lock
    private boolean stopping; // guarded by lock
    private volatile Optional<ConnectException> failure = Optional.empty(); // written by the lane thread
    private final Gate gate = new Gate();

    /**
     * An idle lane.
     *
     * @param number from 0; by this number the lane acknowledges offsets
     * @param lastWriteWins whether a later document makes an earlier one with the same key pointless
     * @param writer what the delivery writes to; closed by {@link #close}
     * @param released is told how many bytes each finished or dropped document no longer holds
     */
    public Lane(
            int number,
            LaneSettings settings,
            boolean lastWriteWins,
            BatchWriter writer,
            Delivery delivery,
            Clock clock,
            LongConsumer released) {
        this.number = number;
        this.settings = requireNonNull(settings, "settings");
        this.lastWriteWins = lastWriteWins;
        this.writer = requireNonNull(writer, "writer");
        this.clock = requireNonNull(clock, "clock");
        this.released = requireNonNull(released, "released");
        this.delivery = requireNonNull(delivery, "delivery");
    }

    /** By this number the lane acknowledges offsets. */
    public int number() {
        return number;
    }

    /** Task thread: documents to be written after all that the lane was given before. */
    public void enqueue(List<Document> documents) {
        lock.lock();
        try {
            if (queue.isEmpty()) {
                waitingSince = clock.nanoTime();
            }
            for (Document document : documents) {
                queue.add(document);
                queuedBytes += document.json().length;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Documents that wait in the queue or are being written now. */
    public int backlog() {
        lock.lock();
        try {
            return queue.size() + inHand;
        } finally {
            lock.unlock();
        }
    }

    /** The lane thread's life: batch after batch until the lane is stopped or fails. */
    public void run() {
        try {
            while (awaitWork()) {
                runOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new ConnectException("lane " + number + " was interrupted", e));
        } catch (ConnectException e) {
            fail(e);
        } catch (Throwable e) {
            fail(new ConnectException("lane " + number + " failed unexpectedly: " + e, e));
        }
    }

    private void fail(ConnectException cause) {
        failure = Optional.of(cause);
        signal();
    }

    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            while (!stopping && !isBatchDue()) {
                if (queue.isEmpty()) {
                    changed.await();
                } else {
                    clock.await(changed, lingerLeft());
                }
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    private boolean isBatchDue() {
        return !queue.isEmpty()
                && (hurried
                        || queue.size() >= settings.batchRows()
                        || queuedBytes >= settings.batchBytes()
                        || lingerLeft() <= 0);
    }

    private long lingerLeft() {
        return settings.linger().toNanos() - (clock.nanoTime() - waitingSince);
    }

    /**
     * One step of the lane: forms a batch of what is queued and delivers it.
     *
     * @return false when there was nothing to do, or the lane was stopped before the batch was done
     * @throws ConnectException when the task has to fail
     */
    boolean runOnce() throws InterruptedException {
        List<Document> slice = takeSlice();
        if (slice.isEmpty()) {
            return false;
        }
        Batch batch = Batch.of(slice, lastWriteWins);
        boolean done = delivery.deliver(batch.documents(), batch::supersededBy, gate);
        if (done) {
            batch.acknowledge(number);
        }
        finish(batch);
        return done;
    }

    private List<Document> takeSlice() {
        lock.lock();
        try {
            List<Document> slice = new ArrayList<>(Math.min(queue.size(), settings.batchRows()));
            long bytes = 0;
            while (!queue.isEmpty() && slice.size() < settings.batchRows()) {
                int size = queue.peek().json().length;
                if (!slice.isEmpty() && bytes + size > settings.batchBytes()) {
                    break;
                }
                bytes += size;
                slice.add(queue.remove());
            }
            queuedBytes -= bytes;
            waitingSince = clock.nanoTime();
            inHand = slice.size();
            return slice;
        } finally {
            lock.unlock();
        }
    }

    private void finish(Batch batch) {
        released.accept(batch.bytesHeld());
        lock.lock();
        try {
            inHand = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Task thread: waits until everything is written, but not through an outage, nor for what waits for this thread.
     *
     * @param deadline as {@link Clock#nanoTime()}
     */
    public void drain(long deadline) throws InterruptedException {
        lock.lock();
        try {
            hurried = true;
            changed.signalAll();
            long left;
            while ((inHand > 0 || !queue.isEmpty())
                    && !delivery.isInOutage()
                    && !delivery.isAwaitingReports()
                    && failure.isEmpty()
                    && (left = deadline - clock.nanoTime()) > 0) {
                clock.await(changed, left);
            }
        } finally {
            hurried = false;
            lock.unlock();
        }
    }

    /** Task thread: drops the queued documents of revoked partitions. */
    public void dropRevoked() {
        long bytes = 0;
        lock.lock();
        try {
            for (Document document : queue) {
                if (document.progress().isRevoked()) {
                    bytes += document.bytesHeld();
                    queuedBytes -= document.json().length;
                }
            }
            queue.removeIf(document -> document.progress().isRevoked());
            revokedSince = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        released.accept(bytes);
    }

    /**
     * Task thread: waits until nothing of a revoked partition is on its way to the server.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @return false when something still is
     */
    public boolean awaitRevoked(long deadline) throws InterruptedException {
        lock.lock();
        try {
            long left;
            while (isRevokedAttempted()) {
                if ((left = deadline - clock.nanoTime()) <= 0) {
                    return false;
                }
                clock.await(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Task thread: breaks off the attempt in progress if it holds something of a revoked partition. */
    public void abortRevoked() {
        lock.lock();
        try {
            if (!isRevokedAttempted()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        log.warn(
                "Lane {}: a request holds records of a revoked partition past the time allowed; breaking it off",
                number);
        writer.abort();
    }

    private boolean isRevokedAttempted() {
        for (Document document : attempted) {
            if (document.progress().isRevoked()) {
                return true;
            }
        }
        return false;
    }

    /** Any thread: why the lane stopped by itself, if it did. */
    public Optional<ConnectException> failure() {
        return failure;
    }

    /** Any thread: the lane's thread ends after its attempt; what is queued stays unwritten. */
    public void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: breaks off the attempt in progress. */
    public void abort() {
        writer.abort();
    }

    /** Gives back the way to the server; after {@link #stop}. */
    public void close() {
        writer.close();
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes what is on its way to the server, for those who have to wait for it. */
    private final class Gate implements Delivery.Gate {
        /** Under the lock: either this sees a revocation, or {@link Lane#awaitRevoked} sees this attempt. */
        @Override
        public Optional<List<Document>> enter(List<Document> documents) {
            lock.lock();
            try {
                revokedSince = false;
                attempted = stopping ? List.of() : stillOurs(documents);
                return stopping ? Optional.empty() : Optional.of(attempted);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void leave() {
            lock.lock();
            try {
                attempted = List.of();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean pause(Duration duration) throws InterruptedException {
            lock.lock();
            try {
                changed.signalAll(); // whoever waits for the lane to be idle learns of the outage
                long deadline = clock.nanoTime() + duration.toNanos();
                long left;
                while (!stopping && !revokedSince && (left = deadline - clock.nanoTime()) > 0) {
                    clock.await(changed, left);
                }
                return !stopping;
            } finally {
                lock.unlock();
            }
        }

        private static List<Document> stillOurs(List<Document> documents) {
            for (Document document : documents) {
                if (document.progress().isRevoked()) {
                    return documents.stream()
                            .filter(each -> !each.progress().isRevoked())
                            .toList();
                }
            }
            return documents;
        }
    }
}
