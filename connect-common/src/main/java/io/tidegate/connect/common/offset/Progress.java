package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.common.TopicPartition;

/**
 * How far one partition has come while it is assigned to this task: two offsets per lane, nothing per record.
 * The task thread accepts, a lane's thread acknowledges; a lane works in the order in which it was given documents,
 * so everything at or below its acknowledged offset is written. Each assignment makes a new object: what a lane still
 * acknowledges after a revocation cannot be mistaken for the work of a later assignment.
 */
public final class Progress {
    private static final long NOTHING = -1;

    private final TopicPartition partition;
    private final byte[] topicUtf8;
    private final AtomicLongArray accepted;
    private final AtomicLongArray acknowledged;
    private volatile boolean revoked;

    /**
     * The progress of a partition that was just assigned.
     *
     * @param partition the partition in Kafka, before any transform renamed its topic
     * @param lanes how many lanes may carry its records, at least 1
     */
    public Progress(TopicPartition partition, int lanes) {
        this.partition = requireNonNull(partition, "partition");
        this.topicUtf8 = partition.topic().getBytes(StandardCharsets.UTF_8);
        this.accepted = filled(lanes);
        this.acknowledged = filled(lanes);
    }

    private static AtomicLongArray filled(int lanes) {
        AtomicLongArray offsets = new AtomicLongArray(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            offsets.set(lane, NOTHING);
        }
        return offsets;
    }

    /** The partition in Kafka, before any transform renamed its topic. */
    public TopicPartition partition() {
        return partition;
    }

    /** Whether this is the progress of that partition; cheap, for every record asks. */
    public boolean isOf(String topic, int number) {
        return partition.partition() == number && partition.topic().equals(topic);
    }

    /** The topic's name in UTF-8, made once for all records; nobody writes to it. */
    public byte[] topicUtf8() {
        return topicUtf8;
    }

    /**
     * Task thread: a lane is about to be given the record at this offset.
     *
     * @param offset above every offset accepted for this lane before
     */
    public void accept(int lane, long offset) {
        if (accepted.get(lane) == acknowledged.get(lane)) {
            // The lane holds nothing of this partition, so nothing below this offset waits in it.
            acknowledged.set(lane, offset - 1);
        }
        accepted.set(lane, offset);
    }

    /** Lane thread: everything that this lane was given up to this offset is written, or refused and noted as such. */
    public void acknowledge(int lane, long offset) {
        acknowledged.set(lane, offset);
    }

    /**
     * Task thread: an offset at or below the first record that may not be written yet; empty when all is written.
     * Everything below it is written.
     */
    public OptionalLong firstPending() {
        long first = Long.MAX_VALUE;
        for (int lane = 0; lane < accepted.length(); lane++) {
            long written = acknowledged.get(lane);
            if (written < accepted.get(lane)) {
                first = Math.min(first, written + 1);
            }
        }
        return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** Task thread: the partition is no longer ours; lanes drop what they still hold of it. */
    public void revoke() {
        revoked = true;
    }

    public boolean isRevoked() {
        return revoked;
    }

    @Override
    public String toString() {
        return partition.toString();
    }
}
