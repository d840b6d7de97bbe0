package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * Keeps the bytes that a task holds within bounds. It pauses the task's partitions above a high-water mark. It resumes
 * them when the documents that are not postponed fill at most half of the room that postponed documents leave. Lanes
 * release bytes; the task thread does everything else and never waits here.
 */
final class Backpressure {
    private final SinkTaskContext context;
    private final LongSupplier highWaterMark;
    private final LongSupplier postponed;
    private final AtomicLong bytesHeld = new AtomicLong();
    private boolean paused;

    /**
     * The bounds of one task.
     *
     * @param highWaterMark bytes held above which it pauses; it may change at any time
     * @param postponed bytes of those held that wait for their destinations, perhaps for long
     */
    Backpressure(SinkTaskContext context, LongSupplier highWaterMark, LongSupplier postponed) {
        this.context = requireNonNull(context, "context");
        this.highWaterMark = requireNonNull(highWaterMark, "highWaterMark");
        this.postponed = requireNonNull(postponed, "postponed");
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

    /** Call it after every {@code put}: pauses above the mark, and resumes when there is room again. */
    void pauseOrResume(Set<TopicPartition> assigned) {
        long held = bytesHeld.get();
        long most = highWaterMark.getAsLong();
        if (!paused && held > most) {
            context.pause(asArray(assigned));
            paused = true;
        } else if (paused && held <= (most + postponed.getAsLong()) / 2) {
            context.resume(asArray(assigned));
            paused = false;
        }
    }

    /**
     * Connect does not pause newly assigned partitions. It does pause partitions that come back and were paused when
     * they were revoked, although there may be room for them now.
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
