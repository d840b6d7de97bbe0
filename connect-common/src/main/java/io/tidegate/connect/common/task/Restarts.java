package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions continue where the server's own books say, instead of where Kafka's group is. It asks Kafka to go
 * back, and checks by the last written record that the log is still the same. Task thread only. It takes no record
 * between the request to go back and the moment when Connect has gone back, which is before Connect delivers again.
 */
final class Restarts {
    private static final Logger log = LoggerFactory.getLogger(Restarts.class);

    private static final String NOT_DELIVERED = "Kafka delivers none of them again: they were removed by retention or"
            + " compaction, dropped by a transform, or are no records";

    private final SinkTaskContext context;
    private final String connector;
    private final Assignment assignment;
    private final LaneAssigner assigner;
    private final DocumentMapper mapper;
    private final boolean failsOnMissing;
    private final Set<Progress> unclaimed = new HashSet<>();
    private final Map<TopicPartition, Long> goingBack = new HashMap<>();
    private final Set<TopicPartition> unpositioned =
            new HashSet<>(); // assigned, but no record was delivered or offered
    private final Map<TopicPartition, Long> positions = new HashMap<>(); // of Kafka's group at the assignment
    private final Set<Progress> begun = new HashSet<>(); // partitions that are behind and have got their first record
    private final List<Progress> toClaim = new ArrayList<>();

    /**
     * The restarts of one task.
     *
     * @param connector its name, for the call that accepts another log
     * @param failsOnMissing whether the task fails when Kafka no longer has records that the server lost
     */
    Restarts(
            SinkTaskContext context,
            String connector,
            Assignment assignment,
            LaneAssigner assigner,
            DocumentMapper mapper,
            boolean failsOnMissing) {
        this.context = requireNonNull(context, "context");
        this.connector = requireNonNull(connector, "connector");
        this.assignment = requireNonNull(assignment, "assignment");
        this.assigner = requireNonNull(assigner, "assigner");
        this.mapper = requireNonNull(mapper, "mapper");
        this.failsOnMissing = failsOnMissing;
    }

    /** These partitions wait until the server has said where they continue. */
    void awaitClaims(List<Progress> opened) {
        unclaimed.addAll(opened);
        opened.forEach(progress -> {
            context.pause(progress.partition());
            unpositioned.add(progress.partition());
            positions.remove(progress.partition());
        });
        context.requestCommit(); // to learn where Kafka's group is, before anything is delivered
    }

    boolean areClaimsAwaited() {
        return !unclaimed.isEmpty();
    }

    /** Whether the server's books allow records of this partition to be delivered. */
    boolean isAwaited(TopicPartition partition) {
        return unclaimed.stream().anyMatch(progress -> progress.partition().equals(partition));
    }

    void revoked() {
        unclaimed.removeIf(progress -> assignment.find(progress.partition()).orElse(null) != progress);
        unpositioned.retainAll(assignment.partitions());
        positions.keySet().retainAll(assignment.partitions());
        begun.removeIf(Progress::isRevoked);
        toClaim.removeIf(Progress::isRevoked);
        goingBack.keySet().retainAll(assignment.partitions());
    }

    /**
     * Call it when Connect delivers: it has then gone back wherever it was asked to. Asks it to go back for partitions
     * that continue elsewhere.
     *
     * @return the partitions that no longer wait for a claim
     */
    List<TopicPartition> settle() {
        goingBack.clear();
        List<TopicPartition> ready = new ArrayList<>();
        for (Progress progress : List.copyOf(assignment.progresses())) {
            if (progress.restart().isPresent()) {
                goBack(progress, progress.restart().get());
            }
        }
        for (Iterator<Progress> waiting = unclaimed.iterator(); waiting.hasNext(); ) {
            Progress progress = waiting.next();
            if (progress.isClaimed() || progress.isRevoked()) {
                waiting.remove();
                ready.add(progress.partition());
            }
        }
        return ready;
    }

    /** Whether Connect must still go back for some partition. */
    boolean isGoingBack() {
        return !goingBack.isEmpty();
    }

    private void goBack(Progress old, StartingPoint point) {
        Progress next = assignment.replace(old, Optional.of(point));
        assigner.replaced(old, next);
        begun.remove(old);
        toClaim.remove(old);
        toClaim.add(next);
        askFor(next.partition(), point.deliverFrom());
        if (unclaimed.contains(old)) {
            compare(next);
        } else {
            unpositioned.remove(next.partition());
            next.behindUntil(old.doneUntil() > point.nextOffset() ? old.doneUntil() : 0);
        }
    }

    /** The partitions that start again. The server must be asked where, or told that this task is still their owner. */
    List<Progress> takeClaims() {
        List<Progress> taken = List.copyOf(toClaim);
        toClaim.clear();
        return taken;
    }

    /** Connect goes back before it delivers more records, but it may ask for a commit before that. */
    private void askFor(TopicPartition partition, long offset) {
        context.offset(Map.of(partition, offset));
        goingBack.put(partition, offset);
    }

    /** Makes delivery continue from these offsets, whatever was delivered before. */
    void goBackTo(Map<TopicPartition, Long> offsets) {
        offsets.forEach((partition, offset) -> {
            askFor(partition, offset);
            unpositioned.remove(partition);
            positions.put(partition, offset); // not the consumer's position
        });
    }

    /** Limits the offered offsets: Kafka is told nothing above the point to which it is about to go back. */
    Map<TopicPartition, OffsetAndMetadata> capped(Map<TopicPartition, OffsetAndMetadata> offered) {
        Map<TopicPartition, OffsetAndMetadata> capped = new HashMap<>(offered);
        goingBack.forEach((partition, from) -> capped.computeIfPresent(
                partition, (same, consumed) -> consumed.offset() > from ? new OffsetAndMetadata(from) : consumed));
        offered.forEach((partition, position) -> {
            if (unpositioned.remove(partition)) {
                positions.put(partition, position.offset());
                assignment.find(partition).filter(each -> !each.isLogChecked()).ifPresent(this::compare);
            }
        });
        return capped;
    }

    /** The offset of Kafka's group when the partition was assigned, if it is known. */
    long positionAtAssignment(TopicPartition partition) {
        return positions.getOrDefault(partition, 0L);
    }

    /**
     * Kafka's group is never ahead of the server's books. If the books are behind it, the server was restored to an
     * older state.
     */
    private void compare(Progress progress) {
        long position = positionAtAssignment(progress.partition());
        long next = progress.start().map(StartingPoint::nextOffset).orElse(Long.MAX_VALUE);
        if (position > next) {
            progress.behindUntil(position);
            log.warn(
                    "{}: Kafka's group stands at {}, but the server's offsets say {}: the server has come back older"
                            + " than it was. Records from {} on are delivered and written again",
                    progress,
                    position,
                    next,
                    next);
        }
    }

    /**
     * Whether a record must be skipped: Connect must still go back, or this is the record that identifies the log.
     *
     * @throws ConnectException when it is another log
     */
    boolean skips(Progress progress, SinkRecord record) {
        if (goingBack.containsKey(progress.partition())) {
            return true;
        }
        if (progress.isLogChecked()) {
            return false;
        }
        unpositioned.remove(progress.partition());
        StartingPoint start = progress.start().orElseThrow();
        long offset = record.originalKafkaOffset();
        if (offset < progress.expected()) {
            throw otherLog(
                    progress,
                    start,
                    "Kafka was asked for offset " + progress.expected() + " and delivered " + offset
                            + ", so the log is shorter than it was");
        }
        if (progress.expected() < start.nextOffset()) {
            start.lastRecord().ifPresent(last -> check(progress, start, last, record));
        }
        if (offset + 1 < start.nextOffset()) { // those between are done, although no row moved the offset
            progress.expect(start.nextOffset());
            askFor(progress.partition(), start.nextOffset());
        } else {
            progress.logChecked();
        }
        return offset < start.nextOffset();
    }

    private void check(Progress progress, StartingPoint start, Fingerprint last, SinkRecord record) {
        if (record.originalKafkaOffset() > last.offset()) {
            log.info(
                    "{}: the record at {}, the last one written, is no longer in Kafka, so nothing shows whether this"
                            + " is the same log; going on at {}",
                    progress,
                    last.offset(),
                    start.nextOffset());
        } else if (!isSame(last, record, progress)) {
            throw otherLog(progress, start, "the record at " + last.offset() + " is not the one that was written last");
        }
    }

    private boolean isSame(Fingerprint last, SinkRecord record, Progress progress) {
        long timestamp = record.timestamp() == null ? Fingerprint.NO_TIMESTAMP : record.timestamp();
        if (last.timestamp() != timestamp) {
            return false;
        }
        Optional<Fingerprint> now = map(record, progress).map(Document::fingerprint);
        if (now.isEmpty()) {
            return timestamp != Fingerprint.NO_TIMESTAMP; // it may have been written with other settings
        }
        return last.hash().isEmpty() || now.get().hash().equals(last.hash());
    }

    private Optional<Document> map(SinkRecord record, Progress progress) {
        try {
            return mapper.map(record, progress);
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }

    private ConnectException otherLog(Progress progress, StartingPoint start, String evidence) {
        TopicPartition partition = progress.partition();
        return new ConnectException(
                progress + " is not the log that was written up to offset " + start.nextOffset() + ": "
                        + evidence
                        + ". The topic was recreated or truncated, or is another cluster's. Nothing of it is written."
                        + " To write it from its beginning, stop the connector and call PATCH /connectors/" + connector
                        + "/offsets with {\"offsets\": [{\"partition\": {\"kafka_topic\": \"" + partition.topic()
                        + "\", \"kafka_partition\": " + partition.partition()
                        + "}, \"offset\": {\"kafka_offset\": 0}}]}; to go on where the server stands, with"
                        + " \"kafka_offset\": "
                        + start.nextOffset() + "; then resume it");
    }

    /** Counts a record of a partition whose server had lost some. */
    void deliveredAgain(Progress progress, long offset) {
        if (progress.start().isEmpty()) {
            return; // the server has not said yet what it has
        }
        long end = progress.behindUntil();
        long next = progress.start().get().nextOffset();
        if (begun.add(progress) && offset > next) {
            missing(progress, next, Math.min(offset, end));
        }
        if (offset < end) {
            progress.redeliveries().countDeliveredAgain();
        } else {
            progress.behindUntil(0);
            begun.remove(progress);
        }
    }

    private void missing(Progress progress, long from, long end) {
        progress.redeliveries().countMissing(end - from);
        if (failsOnMissing) {
            throw new ConnectException(progress + ": the server lost offsets " + from + " to " + (end - 1) + ", and "
                    + NOT_DELIVERED + "; behavior.on.missing.records=warn goes on without them");
        }
        log.warn("{}: the server lost offsets {} to {}, and {}", progress, from, end - 1, NOT_DELIVERED);
    }

    /** The consumer was set back below the accepted offsets. The records that lanes hold come again. */
    Progress setBack(Progress old) {
        log.info("{} was set back to an offset that was delivered before: it starts over there", old);
        Progress next = assignment.replace(old, Optional.empty());
        next.behindUntil(old.doneUntil()); // until the server has said what it has
        assigner.replaced(old, next);
        begun.remove(old);
        toClaim.add(next);
        return next;
    }
}
