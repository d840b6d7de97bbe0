package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue and a delivery, in order. It forms a batch of the documents that queued up during the last write, and writes
 * it. The task thread adds documents and revokes partitions. The lane's thread writes; an idle lane has none, see {@link
 * LaneMonitor}. {@link #runOnce()} is one step of that thread, so tests need no thread. A document leaves the queue only
 * to be written, refused, postponed until its destination accepts it, or dropped with its revoked partition.
 */
public final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    /** Where there may be no memory to say more. */
    private static final Optional<ConnectException> UNDESCRIBED =
            Optional.of(new ConnectException("a lane failed unexpectedly, and its failure cannot be described"));

    private final int number;
    private final LaneSettings settings;
    private final boolean lastWriteWins;
    private final BatchWriter writer;
    private final Delivery delivery;
    private final LongConsumer released;

    private final LaneMonitor monitor;
    private final OffsetRequests offsets; // under monitor
    private final LaneQueue queue; // under monitor
    private final LaneGate gate; // under monitor
    private volatile Optional<ConnectException> failure = Optional.empty(); // written by the lane thread

    /**
     * Makes an idle lane.
     *
     * @param number from 0; the lane acknowledges offsets under this number
     * @param lastWriteWins whether a later document replaces an earlier one with the same key
     * @param writer what the delivery writes to; closed by {@link #close}
     * @param threads run the lane when it has something to do, not on the thread that calls
     * @param released receives the bytes of each document that is finished or dropped
     */
    public Lane(
            int number,
            LaneSettings settings,
            boolean lastWriteWins,
            BatchWriter writer,
            Delivery delivery,
            Clock clock,
            Executor threads,
            LongConsumer released) {
        this.number = number;
        this.settings = requireNonNull(settings, "settings");
        this.lastWriteWins = lastWriteWins;
        this.writer = requireNonNull(writer, "writer");
        this.delivery = requireNonNull(delivery, "delivery");
        this.released = requireNonNull(released, "released");
        this.monitor = new LaneMonitor(threads, this::run);
        this.offsets = new OffsetRequests(monitor);
        this.queue = new LaneQueue(settings, offsets, clock, monitor);
        this.gate = new LaneGate(clock, monitor);
    }

    /** The number under which the lane acknowledges offsets. */
    public int number() {
        return number;
    }

    /** Task thread: adds documents to be written after all earlier ones. */
    public void enqueue(List<Document> documents) {
        queue.add(documents);
    }

    /** Documents that wait in the queue or are being written now. */
    public int backlog() {
        return queue.size();
    }

    /** The lane's thread: batch after batch, until there is nothing to do or the lane is stopped or fails. */
    void run() {
        boolean hasLeft = false;
        try {
            while (queue.awaitBatch(delivery.nextRetry())) {
                runOnce();
            }
            hasLeft = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new ConnectException("lane " + number + " was interrupted", e));
        } catch (ConnectException e) {
            fail(e);
        } catch (Throwable e) {
            fail(new ConnectException("lane " + number + " failed unexpectedly: " + e, e));
        } finally {
            if (!hasLeft && failure.isEmpty()) {
                fail(UNDESCRIBED);
            }
        }
    }

    private void fail(ConnectException cause) {
        fail(Optional.of(cause));
    }

    private void fail(Optional<ConnectException> cause) {
        failure = cause;
        synchronized (monitor) {
            monitor.end();
        }
    }

    /** Any thread: the one that waits at the lane checks again whether to go on. */
    public void wake() {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    /**
     * One step of the lane. It first writes postponed documents that are due. Then it forms a batch of the queued documents
     * and delivers it.
     *
     * @return false when there was nothing to do, or the lane was stopped before the batch was done
     * @throws ConnectException when the task must fail
     */
    boolean runOnce() throws InterruptedException {
        if (queue.areRequestsWaiting() && !offsets.serve(delivery, gate)) {
            return false;
        }
        List<Document> waited = delivery.takeDue(settings.batchRows(), settings.batchBytes());
        if (!waited.isEmpty() && !deliver(Batch.of(waited, lastWriteWins))) {
            return false;
        }
        List<Document> slice = waited.isEmpty() ? queue.takeSlice() : queue.takeDueSlice();
        if (slice.isEmpty()) {
            return !waited.isEmpty();
        }
        Batch batch = Batch.of(slice, lastWriteWins);
        boolean done = deliver(batch);
        if (done) {
            batch.acknowledge(number);
        }
        queue.finish();
        return done;
    }

    private boolean deliver(Batch batch) throws InterruptedException {
        boolean done = delivery.deliver(batch.documents(), batch::supersededBy, gate);
        if (done) {
            delivery.settle(number);
        }
        released.accept(batch.bytesHeld() - delivery.takeBytesPostponed());
        return done;
    }

    /** The task thread's requests about the offsets that the server keeps. They are served before documents. */
    public OffsetRequests offsets() {
        return offsets;
    }

    /** Task thread: no batch lingers until {@link #drain} or {@link #linger}. */
    public void hurry() {
        queue.hurry(true);
    }

    /** Task thread: ends {@link #hurry}. */
    public void linger() {
        queue.hurry(false);
    }

    /**
     * Task thread: waits until everything is written. It does not wait during an outage, nor for reports, because this
     * thread makes them.
     *
     * @param deadline as {@link Clock#nanoTime()}
     */
    public void drain(long deadline) throws InterruptedException {
        queue.flush(deadline, this::isBlocked);
    }

    private boolean isBlocked() {
        return delivery.isInOutage() || delivery.isAwaitingReports() || failure.isPresent();
    }

    /** Task thread: says whether more documents may come. While none do, no batch lingers. */
    public void feed(boolean mayCome) {
        queue.feed(mayCome);
    }

    /** Task thread: drops the documents of revoked partitions that are queued or postponed. */
    public void dropRevoked() {
        long bytes;
        synchronized (monitor) {
            bytes = queue.dropRevoked();
            gate.revoked();
        }
        released.accept(bytes + delivery.dropRevoked());
    }

    /**
     * Task thread: waits until no attempt holds a document of a revoked partition.
     *
     * @param deadline as {@link Clock#nanoTime()}
     * @return false when one still does
     */
    public boolean awaitRevoked(long deadline) throws InterruptedException {
        return gate.awaitRevoked(deadline);
    }

    /** Task thread: cancels the attempt in progress if it holds a document of a revoked partition. */
    public void abortRevoked() {
        if (gate.cancelRevoked(writer::abort)) {
            log.warn(
                    "Lane {}: a request with records of a revoked partition exceeded close.timeout.ms; cancelling it",
                    number);
        }
    }

    /** Any thread: how the last attempt failed, if it found the server unable to write. */
    public Optional<WriteException> unavailable() {
        return delivery.unavailable();
    }

    /** Any thread: why the lane failed, if it did. */
    public Optional<ConnectException> failure() {
        return failure;
    }

    /** Any thread: lets the lane's thread end after its attempt. Queued documents stay unwritten. */
    public void stop() {
        synchronized (monitor) {
            gate.stop();
            queue.stop();
        }
    }

    /** Any thread: done when the lane was stopped or has failed, and no thread works for it any more. */
    public Future<?> ended() {
        return monitor.ended();
    }

    /** Any thread: cancels the attempt in progress. */
    public void abort() {
        writer.abort();
    }

    /** Closes the writer; after {@link #stop}. */
    public void close() {
        writer.close();
    }
}
