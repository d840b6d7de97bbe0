package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * Keeps what a task holds within bounds: pauses its partitions above a high-water mark and resumes them below half of
 * what that leaves beside documents that are held back for their destinations. Lanes release bytes; everything else is the task thread's, which is never made to wait here.
 */
final class Backpressure {
    private final SinkTaskContext context;
    private final LongSupplier highWaterMark;
    private final LongSupplier heldBack;
    private final AtomicLong bytesHeld = new AtomicLong();
    private boolean paused;

    /**
     * Of one task.
     *
     * @param highWaterMark bytes held above which it pauses; it may change at any time
     * @param heldBack bytes of those held that wait for their destinations, and may do so for long
     */
    Backpressure(SinkTaskContext context, LongSupplier highWaterMark, LongSupplier heldBack) {
        this.context = requireNonNull(context, "context");
        this.highWaterMark = requireNonNull(highWaterMark, "highWaterMark");
        this.heldBack = requireNonNull(heldBack, "heldBack");
    }

    void hold(long bytes) {
        bytesHeld.addAndGet(bytes);
    }

    /** Any thread. */
    void release(long bytes) {
        bytesHeld.addAndGet(-bytes);
    }

    /** Bytes of records that are queued or on their way to the server, an estimate. */
    long bytesHeld() {
        return bytesHeld.get();
    }

    boolean isPaused() {
        return paused;
    }

    /** After every {@code put}: enough is enough, or there is room again. */
    void pauseOrResume(Set<TopicPartition> assigned) {
        long held = bytesHeld.get();
        long most = highWaterMark.getAsLong();
        if (!paused && held > most) {
            context.pause(asArray(assigned));
            paused = true;
        } else if (paused && held <= (most + heldBack.getAsLong()) / 2) {
            context.resume(asArray(assigned));
            paused = false;
        }
    }

    /**
     * Connect does not pause newly assigned partitions for us. It does pause those that come back and were paused when they
     * were taken away, although there may be room for them now.
     */
    void assigned(Collection<TopicPartition> partitions) {
        if (paused) {
            context.pause(asArray(partitions));
        } else {
            context.resume(asArray(partitions));
        }
    }

    private static TopicPartition[] asArray(Collection<TopicPartition> partitions) {
        return partitions.toArray(TopicPartition[]::new);
    }
}
