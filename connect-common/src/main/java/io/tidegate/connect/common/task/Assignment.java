package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.Redeliveries;
import io.tidegate.connect.common.offset.StartingPoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/** The partitions that a task has, and how far each has come. Task thread only. */
final class Assignment {
    private final int lanes;
    private final DeadLetters letters;
    private final Redeliveries redeliveries = new Redeliveries();
    private final Map<TopicPartition, Progress> assigned = new HashMap<>();
    private Optional<Progress> latest = Optional.empty();

    /** Starts without partitions. */
    Assignment(int lanes, DeadLetters letters) {
        this.lanes = lanes;
        this.letters = requireNonNull(letters, "letters");
    }

    Redeliveries redeliveries() {
        return redeliveries;
    }

    Collection<Progress> progresses() {
        return assigned.values();
    }

    Optional<Progress> find(TopicPartition partition) {
        return Optional.ofNullable(assigned.get(partition));
    }

    /** Starts another progress of the same partition. Documents of the old progress no longer count. */
    Progress replace(Progress old, Optional<StartingPoint> start) {
        old.revoke();
        Progress next = new Progress(old.partition(), lanes, start, redeliveries);
        next.beginsAt(old.begin());
        assigned.put(old.partition(), next);
        latest = Optional.empty();
        return next;
    }

    Set<TopicPartition> partitions() {
        return assigned.keySet();
    }

    /** Starts a progress for each of these partitions and returns them. */
    List<Progress> add(Collection<TopicPartition> partitions) {
        List<Progress> added = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Progress progress = new Progress(partition, lanes, Optional.empty(), redeliveries);
            assigned.put(partition, progress);
            added.add(progress);
        }
        latest = Optional.empty();
        return added;
    }

    /** Ends the progress of each of these partitions that the task has, and returns them. */
    List<Progress> revoke(Collection<TopicPartition> partitions) {
        List<Progress> revoked = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Progress progress = assigned.remove(partition);
            if (progress != null) {
                progress.revoke();
                revoked.add(progress);
            }
        }
        latest = Optional.empty();
        return revoked;
    }

    /** Records of a partition come one after the other, so the partition is looked up once for all of them. */
    Progress progressOf(SinkRecord record) {
        if (latest.isEmpty() || !latest.get().isOf(record.originalTopic(), record.originalKafkaPartition())) {
            TopicPartition partition = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
            latest = Optional.ofNullable(assigned.get(partition));
        }
        return latest.orElseThrow(() -> new ConnectException("a record of " + record.originalTopic() + "-"
                + record.originalKafkaPartition() + " was delivered, which is not assigned to this task"));
    }

    /**
     * The part of the offered offsets that may be committed: nothing above a record that is neither written nor
     * reported.
     */
    Map<TopicPartition, OffsetAndMetadata> committable(Map<TopicPartition, OffsetAndMetadata> offered) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        offered.forEach((partition, consumed) -> {
            Progress progress = assigned.get(partition);
            if (progress != null) {
                long first = firstUnfinished(progress).orElse(Long.MAX_VALUE);
                offsets.put(partition, first < consumed.offset() ? new OffsetAndMetadata(first) : consumed);
            }
        });
        return offsets;
    }

    /**
     * By partition, the first offset that is neither written nor reported as refused. Partitions without such an offset
     * are left out.
     */
    Map<TopicPartition, Long> unfinished() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        assigned.forEach(
                (partition, progress) -> firstUnfinished(progress).ifPresent(offset -> offsets.put(partition, offset)));
        return offsets;
    }

    /** Everything accepted below this offset is written or reported; empty when nothing was accepted yet. */
    OptionalLong written(Progress progress) {
        if (progress.firstAccepted() < 0) {
            return OptionalLong.empty();
        }
        OptionalLong unfinished = firstUnfinished(progress);
        return unfinished.isPresent() ? unfinished : OptionalLong.of(progress.nextToAccept());
    }

    private OptionalLong firstUnfinished(Progress progress) {
        // The order matters: a lane records a refusal before it acknowledges the offset.
        OptionalLong pending = progress.firstPending();
        OptionalLong refused = letters.firstUnconfirmed(progress);
        if (pending.isEmpty() || refused.isEmpty()) {
            return pending.isEmpty() ? refused : pending;
        }
        return OptionalLong.of(Math.min(pending.getAsLong(), refused.getAsLong()));
    }
}
