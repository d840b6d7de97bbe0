package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.HeapWeight;
import io.tidegate.connect.common.offset.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * The records that are admitted but not mapped yet, in the order in which Connect delivered them. They wait while what they
 * need from elsewhere cannot be fetched. Their {@link Progress} knows them, so that nothing is committed above the first.
 * Task thread only, except for {@link #bytesHeld}.
 */
final class Unmapped {
    private record Admitted(SinkRecord record, Progress progress) {}

    private final Deque<Admitted> admitted = new ArrayDeque<>();
    private volatile long bytesHeld; // by those that wait for a later put

    void add(SinkRecord record, Progress progress) {
        progress.admit(record.originalKafkaOffset());
        admitted.add(new Admitted(record, progress));
    }

    List<SinkRecord> records() {
        List<SinkRecord> records = new ArrayList<>(admitted.size()); // no stream: each put comes here
        for (Admitted each : admitted) {
            records.add(each.record());
        }
        return records;
    }

    /** They have to wait for a later {@code put}. */
    void keep() {
        bytesHeld = admitted.stream()
                .mapToLong(each -> HeapWeight.of(each.record()))
                .sum();
    }

    /** Any thread: an estimate; 0 only if none waits. */
    long bytesHeld() {
        return bytesHeld;
    }

    /** Forgets those of partitions that are taken away or start over: they are delivered again. */
    void dropRevoked() {
        if (admitted.removeIf(each -> each.progress().isRevoked())) {
            keep();
        }
    }

    /** Hands each to the mapper, once. If the mapper fails, its record stays pending, and so do those behind it. */
    void map(BiConsumer<SinkRecord, Progress> mapper) {
        while (!admitted.isEmpty()) {
            Admitted each = admitted.remove();
            mapper.accept(each.record(), each.progress());
            each.progress().mapped(each.record().originalKafkaOffset());
        }
        bytesHeld = 0;
    }
}
