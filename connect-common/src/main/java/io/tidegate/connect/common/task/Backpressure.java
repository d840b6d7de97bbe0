package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * Keeps the bytes that a task holds within bounds. It pauses the task's partitions above a high-water mark, and while
 * records cannot be mapped. It resumes them when the documents that are not postponed fill at most half of the room that
 * postponed documents leave. Before that, it pauses the partitions whose documents are postponed, so that they leave room
 * for the others. Any thread holds and releases bytes; the task thread does everything else and never waits here.
 */
final class Backpressure {
    /** Postponed documents may fill this part of the mark before their partitions are paused; others have as much room. */
    private static final int PART = 4;

    private final SinkTaskContext context;
    private final LongSupplier highWaterMark;
    private final LongSupplier unmapped;
    private final LongSupplier postponed;
    private final LongSupplier poll;
    private final LongSupplier withFree;
    private final AtomicLong bytesHeld = new AtomicLong();
    private final Set<TopicPartition> waiting = new HashSet<>(); // paused, because their documents are postponed
    private boolean paused; // all of them

    /**
     * The bounds of one task.
     *
     * @param highWaterMark bytes held above which it pauses; it may change at any time
     * @param unmapped bytes of records that cannot be mapped now; while there are any, it pauses
     * @param postponed bytes of those held that wait for their destinations, perhaps for long
     * @param poll bytes that one poll may bring
     * @param withFree bytes that the task would hold with all that the worker has free
     */
    Backpressure(
            SinkTaskContext context,
            LongSupplier highWaterMark,
            LongSupplier unmapped,
            LongSupplier postponed,
            LongSupplier poll,
            LongSupplier withFree) {
        this.context = requireNonNull(context, "context");
        this.highWaterMark = requireNonNull(highWaterMark, "highWaterMark");
        this.unmapped = requireNonNull(unmapped, "unmapped");
        this.postponed = requireNonNull(postponed, "postponed");
        this.poll = requireNonNull(poll, "poll");
        this.withFree = requireNonNull(withFree, "withFree");
    }

    /** Any thread. */
    void hold(long bytes) {
        bytesHeld.addAndGet(bytes);
    }

    /** Any thread. */
    void release(long bytes) {
        bytesHeld.addAndGet(-bytes);
    }

    /** Bytes of records that cannot be mapped now, are queued or are on their way to the server or the dead letter topic. */
    long bytesHeld() {
        return bytesHeld.get() + unmapped.getAsLong();
    }

    boolean isPaused() {
        return paused;
    }

    /**
     * Call it after every {@code put}: pauses above the mark, and resumes when there is room again.
     *
     * @param assigned gives the partitions; a task may have thousands
     * @param postponing gives those of the partitions that have postponed documents
     */
    void pauseOrResume(Supplier<Set<TopicPartition>> assigned, Supplier<Set<TopicPartition>> postponing) {
        long held = bytesHeld();
        boolean mustPause = unmapped.getAsLong() > 0;
        long most = mostHeld();
        pauseOrResumeWaiting(assigned, postponing);
        if (!paused && (mustPause || held > most)) {
            context.pause(asArray(assigned.get()));
            paused = true;
        } else if (paused && !mustPause && held <= (most + postponed.getAsLong()) / 2) {
            paused = false;
            resume(assigned.get());
        }
    }

    /**
     * The mark, or more while postponed documents leave too little room for others. Two polls may bring them before their
     * partitions are paused, and each may bring more than the mark. All tasks may wait for one destination, so that is so
     * only while the worker has room for one more poll beside them.
     */
    private long mostHeld() {
        long mark = highWaterMark.getAsLong();
        long ofPolls = Math.min(mark + 2 * poll.getAsLong(), withFree.getAsLong() - poll.getAsLong());
        long most = Math.max(mark + mark / 2, ofPolls);
        return Math.max(mark, Math.min(postponed.getAsLong() + mark / PART, most));
    }

    private void pauseOrResumeWaiting(
            Supplier<Set<TopicPartition>> assigned, Supplier<Set<TopicPartition>> postponing) {
        boolean isMuch = postponed.getAsLong() > highWaterMark.getAsLong() / PART;
        if (!isMuch && waiting.isEmpty()) {
            return;
        }
        Set<TopicPartition> now = postponing.get();
        List<TopicPartition> over = new ArrayList<>(waiting);
        over.removeAll(now);
        waiting.removeAll(over);
        if (!paused && !over.isEmpty()) {
            over.retainAll(assigned.get());
            resume(over);
        }
        if (isMuch && waiting.addAll(now)) {
            context.pause(asArray(now));
        }
    }

    private void resume(Collection<TopicPartition> partitions) {
        context.resume(partitions.stream()
                .filter(partition -> !waiting.contains(partition))
                .toArray(TopicPartition[]::new));
    }

    /**
     * Connect does not pause newly assigned partitions. It does pause partitions that come back and were paused when
     * they were revoked, although there may be room for them now.
     */
    void assigned(Collection<TopicPartition> partitions) {
        waiting.removeAll(partitions);
        if (paused) {
            context.pause(asArray(partitions));
        } else {
            resume(partitions);
        }
    }

    private static TopicPartition[] asArray(Collection<TopicPartition> partitions) {
        return partitions.toArray(TopicPartition[]::new);
    }
}
