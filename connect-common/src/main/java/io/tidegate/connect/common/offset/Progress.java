package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.common.TopicPartition;

/**
 * How far one partition is written while it is assigned to this task: three offsets per lane, nothing per record. The
 * task thread accepts; a lane's thread acknowledges and holds back. A lane works in the order in which it was given
 * documents. Therefore everything at or below its acknowledged offset is written, except for what it holds back. Each
 * assignment makes a new object, so an acknowledgement after a revocation cannot count for a later assignment. A
 * restart also makes a new object: a server that keeps offsets may say that the partition continues elsewhere.
 */
public final class Progress {
    private static final long NOTHING = -1;
    private static final long ANYTHING = Long.MAX_VALUE;

    private final TopicPartition partition;
    private final byte[] topicUtf8;
    private final AtomicLongArray accepted;
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray heldBack; // the lowest offset that a lane holds back
    private final Optional<StartingPoint> start;
    private final Redeliveries redeliveries;
    private long latest; // the last offset accepted or already done; task thread
    private long firstAccepted = NOTHING; // task thread
    private long expected; // the lowest offset that Kafka may deliver first; task thread
    private long behindUntil; // task thread
    private long hadUntil; // the highest next offset that was ever known as done; task thread
    private boolean logChecked; // task thread
    private volatile boolean revoked;
    private volatile boolean claimed; // written by a lane
    private volatile long stored = ANYTHING; // next offset in the server's own books; written by a lane
    private volatile long begin = ANYTHING; // where this task's work on the partition began; written by a lane
    private volatile Optional<StartingPoint> restart = Optional.empty(); // written by a lane

    /**
     * The progress of a partition that was just assigned.
     *
     * @param partition the partition in Kafka, before any transform renamed its topic
     * @param lanes how many lanes may carry its records, at least 1
     */
    public Progress(TopicPartition partition, int lanes) {
        this(partition, lanes, Optional.empty(), new Redeliveries());
    }

    /**
     * The progress of a partition.
     *
     * @param start where Kafka was told to continue, if the server said so
     * @param redeliveries the task's counts
     */
    public Progress(TopicPartition partition, int lanes, Optional<StartingPoint> start, Redeliveries redeliveries) {
        this.start = requireNonNull(start, "start");
        this.logChecked = start.isEmpty();
        this.latest = start.map(point -> point.nextOffset() - 1).orElse(NOTHING);
        this.expected = start.map(StartingPoint::deliverFrom).orElse(0L);
        this.redeliveries = requireNonNull(redeliveries, "redeliveries");
        this.partition = requireNonNull(partition, "partition");
        this.topicUtf8 = partition.topic().getBytes(StandardCharsets.UTF_8);
        this.accepted = filled(lanes, NOTHING);
        this.acknowledged = filled(lanes, NOTHING);
        this.heldBack = filled(lanes, ANYTHING);
    }

    private static AtomicLongArray filled(int lanes, long with) {
        AtomicLongArray offsets = new AtomicLongArray(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            offsets.set(lane, with);
        }
        return offsets;
    }

    /** The partition in Kafka, before any transform renamed its topic. */
    public TopicPartition partition() {
        return partition;
    }

    /** Whether this is the progress of that partition. It is cheap, because it is called for every record. */
    public boolean isOf(String topic, int number) {
        return partition.partition() == number && partition.topic().equals(topic);
    }

    /** The topic's name in UTF-8, made once for all records. It must not be changed. */
    public byte[] topicUtf8() {
        return topicUtf8;
    }

    /**
     * Task thread: call it before a lane gets the record at this offset.
     *
     * @param offset above every offset accepted for this lane before
     */
    public void accept(int lane, long offset) {
        if (accepted.get(lane) == acknowledged.get(lane)) {
            // The lane holds nothing of this partition, so nothing below this offset waits in it.
            acknowledged.set(lane, offset - 1);
        }
        accepted.set(lane, offset);
        latest = offset;
        if (firstAccepted == NOTHING) {
            firstAccepted = offset;
        }
    }

    /** Task thread: the first offset that was accepted; negative before that. */
    public long firstAccepted() {
        return firstAccepted;
    }

    /** Task thread: the offset after the last one that was accepted. */
    public long nextToAccept() {
        return latest + 1;
    }

    /**
     * Task thread: whether the consumer was set back below the accepted offsets, so that this progress is no longer
     * valid.
     */
    public boolean isSetBackTo(long offset) {
        return offset <= latest || offset < confirmed();
    }

    /** Task thread: whether the log was found to be the one that the starting point describes. */
    public boolean isLogChecked() {
        return logChecked;
    }

    /** Task thread: the lowest offset that Kafka may deliver first, because this task asked for it. */
    public long expected() {
        return expected;
    }

    /** Task thread: Kafka is asked for this offset now. The log is not checked yet. */
    public void expect(long offset) {
        expected = offset;
    }

    /** Task thread: the log is checked. */
    public void logChecked() {
        logChecked = true;
    }

    /** Task thread: below this offset the server has lost records that were written; 0 when it has lost none. */
    public long behindUntil() {
        return behindUntil;
    }

    /** Task thread: see {@link #behindUntil()}. */
    public void behindUntil(long offset) {
        behindUntil = offset;
        hadUntil = Math.max(hadUntil, offset);
    }

    /** Task thread: Kafka is told to commit this offset. */
    public void committed(long offset) {
        hadUntil = Math.max(hadUntil, offset);
    }

    /** Task thread: the lowest offset that Kafka is told. The server or Kafka's group has had it before. */
    public long leastCommit() {
        return Math.max(hadUntil, start.map(StartingPoint::nextOffset).orElse(0L));
    }

    /**
     * Task thread: all records below it are done, as the server or Kafka's group said; 0 when neither said anything.
     */
    public long doneUntil() {
        return Math.max(confirmed(), hadUntil);
    }

    private long confirmed() {
        long known = stored;
        return known == ANYTHING ? 0 : known;
    }

    /** Where Kafka was told to continue, if the server said so. */
    public Optional<StartingPoint> start() {
        return start;
    }

    public Redeliveries redeliveries() {
        return redeliveries;
    }

    /**
     * Lane thread: the server was asked where this partition continues, and now accepts what is delivered.
     *
     * @param nextOffset in the server's books; empty when they do not know the partition, so it starts with the first
     *     record
     */
    public void claimed(OptionalLong nextOffset) {
        stored = nextOffset.orElse(ANYTHING);
        claimed = true;
    }

    /** Lane thread: this task's work on the partition starts there, unless it started earlier. */
    public void beginsAt(long offset) {
        begin = Math.min(begin, offset);
    }

    /** Where this task's work on the partition started, restarts included. Call it only after {@link #beginsAt}. */
    public long begin() {
        return begin;
    }

    /** Any thread: whether the server was asked where this partition continues. */
    public boolean isClaimed() {
        return claimed;
    }

    /** Lane thread: the next offset in the server's books is now this one. */
    public void stored(long nextOffset) {
        stored = nextOffset;
    }

    /** Any thread: the highest offset that Kafka may be told, because the server's books contain it. */
    public long stored() {
        return stored;
    }

    /** Lane thread: records must be delivered again from there. Lanes drop what they hold of this progress. */
    public void restartAt(StartingPoint point) {
        restart = Optional.of(point);
    }

    /** Any thread: from where records must be delivered again, if they must. */
    public Optional<StartingPoint> restart() {
        return restart;
    }

    /**
     * Lane thread: this is the lowest offset that the lane holds back. Call it before the acknowledgement of a higher
     * offset.
     */
    public void holdBack(int lane, long offset) {
        heldBack.set(lane, offset);
    }

    /** Lane thread: the lane no longer holds back any document. */
    public void holdBackNothing(int lane) {
        heldBack.set(lane, ANYTHING);
    }

    /**
     * Lane thread: everything that this lane was given up to this offset is written, refused and recorded as such, or
     * held back.
     */
    public void acknowledge(int lane, long offset) {
        acknowledged.set(lane, offset);
    }

    /**
     * Task thread: an offset at or below the first record that may not be written yet; empty when all is written.
     * Everything below it is written.
     */
    public OptionalLong firstPending() {
        Optional<StartingPoint> again = restart;
        if (again.isPresent()) {
            return OptionalLong.of(again.get().nextOffset());
        }
        long first = Long.MAX_VALUE;
        for (int lane = 0; lane < accepted.length(); lane++) {
            long written = acknowledged.get(lane);
            if (written < accepted.get(lane)) {
                first = Math.min(first, written + 1);
            }
            first = Math.min(first, heldBack.get(lane)); // read after the acknowledged offset
        }
        return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** Task thread: the partition no longer belongs to this task. Lanes drop what they still hold of it. */
    public void revoke() {
        revoked = true;
    }

    /** Any thread: whether lanes drop what they hold of it. Another owner or a restart gets the same records again. */
    public boolean isRevoked() {
        return revoked || restart.isPresent();
    }

    @Override
    public String toString() {
        return partition.toString();
    }
}
