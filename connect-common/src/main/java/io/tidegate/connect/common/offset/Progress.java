package io.tidegate.connect.common.offset;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the records of one partition are written: three offsets per lane, nothing per record. The task thread admits and
 * accepts; a lane's thread acknowledges and postpones. A lane works in the order in which it was given documents. Therefore
 * everything at or below its acknowledged offset is written, except for what it postpones. Where a partition starts
 * over, a new object takes this one's place, so that a late acknowledgement does not count.
 */
public final class Progress {
    private static final long NOTHING = -1;
    private static final long ANYTHING = Long.MAX_VALUE;

    private final TopicPartition partition;
    private final int lane;
    private final byte[] topicUtf8;
    private final AtomicLongArray accepted;
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray postponed; // the lowest offset that a lane postpones
    private final NavigableSet<Long> refused = new ConcurrentSkipListSet<>(); // and not reported yet
    private long first = NOTHING; // the first offset accepted; task thread
    private long admitted = NOTHING; // the last offset admitted; task thread
    private long mapped = NOTHING; // everything admitted up to it is mapped; task thread
    private volatile long held = NOTHING; // from here on a lane holds back what it was given
    private volatile boolean revoked;
    private volatile Optional<GivenUp> givenUp = Optional.empty(); // written by a lane

    /**
     * Why a lane drops what it was given of a partition: the server's offsets are not as this lane left them.
     *
     * @param written all records below this offset were written; 0 if none were
     * @param isClaimedByAnother whether another task claimed the partition; otherwise the server is older than it was
     */
    public record GivenUp(long written, boolean isClaimedByAnother) {}

    /** The progress of a partition that the first of these lanes carries. */
    public Progress(TopicPartition partition, int lanes) {
        this(partition, 0, lanes);
    }

    /**
     * The progress of a partition.
     *
     * @param partition the partition in Kafka, before any transform renamed its topic
     * @param lane the number of the lane for documents that stay in the order of their partition
     * @param lanes how many lanes may carry its records, at least 1
     */
    public Progress(TopicPartition partition, int lane, int lanes) {
        this.partition = requireNonNull(partition, "partition");
        this.lane = lane;
        this.topicUtf8 = partition.topic().getBytes(StandardCharsets.UTF_8);
        this.accepted = filled(lanes, NOTHING);
        this.acknowledged = filled(lanes, NOTHING);
        this.postponed = filled(lanes, ANYTHING);
    }

    private static AtomicLongArray filled(int lanes, long with) {
        AtomicLongArray offsets = new AtomicLongArray(lanes);
        for (int each = 0; each < lanes; each++) {
            offsets.set(each, with);
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

    /** The number of the lane for documents that stay in the order of their partition. */
    public int lane() {
        return lane;
    }

    /** The topic's name in UTF-8, made once for all records. It must not be changed. */
    public byte[] topicUtf8() {
        return topicUtf8;
    }

    /** Task thread: the record at this offset is to be written. It is pending until it is {@link #mapped}. */
    public void admit(long offset) {
        if (mapped == admitted) {
            mapped = offset - 1;
        }
        admitted = offset;
    }

    /** Task thread: a lane has accepted the record at this offset, or it is refused or skipped. */
    public void mapped(long offset) {
        mapped = offset;
    }

    /** Task thread: an offset at or below the first record that is admitted but not mapped. */
    private long firstUnmapped() {
        return mapped == admitted ? ANYTHING : mapped + 1;
    }

    /**
     * Task thread: call it before a lane gets the record at this offset.
     *
     * @param offset above every offset accepted for this lane before
     */
    public void accept(int to, long offset) {
        if (accepted.get(to) == acknowledged.get(to)) {
            // The lane holds nothing of this partition, so nothing below this offset waits in it.
            acknowledged.set(to, offset - 1);
        }
        accepted.set(to, offset);
        if (first == NOTHING) {
            first = offset;
        }
    }

    /** Task thread: an offset at or below the first that was accepted, or is to be; empty before that. */
    public OptionalLong firstAccepted() {
        return first == NOTHING ? optional(firstUnmapped()) : OptionalLong.of(first);
    }

    /** Task thread: whether this offset is not above all that were admitted, because the consumer was set back. */
    public boolean isSetBackTo(long offset) {
        return offset <= admitted;
    }

    /**
     * Lane thread: this is the lowest offset that the lane postpones. Call it before the acknowledgement of a higher
     * offset.
     */
    public void postpone(int by, long offset) {
        postponed.set(by, offset);
    }

    /** Task thread: whether a lane postpones a document. */
    public boolean isPostponing() {
        for (int each = 0; each < postponed.length(); each++) {
            if (postponed.get(each) != ANYTHING) {
                return true;
            }
        }
        return false;
    }

    /** Lane thread: the lane no longer postpones any document. */
    public void postponeNothing(int by) {
        postponed.set(by, ANYTHING);
    }

    /**
     * Lane thread: everything that this lane was given up to this offset is written, refused and recorded as such, or
     * postponed.
     */
    public void acknowledge(int by, long offset) {
        acknowledged.set(by, offset);
    }

    /**
     * Task thread: an offset at or below the first record that may not be written yet; empty when all is written.
     * Everything below it is written. It means nothing once this is revoked.
     */
    public OptionalLong firstPending() {
        long pending = Math.min(firstUnmapped(), firstInLanes());
        for (int each = 0; each < postponed.length(); each++) {
            pending = Math.min(pending, postponed.get(each)); // read after the acknowledged offset
        }
        return optional(pending);
    }

    private static OptionalLong optional(long offset) {
        return offset == ANYTHING ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** An offset at or below the first record that a lane has not acknowledged. */
    private long firstInLanes() {
        long first = ANYTHING;
        for (int each = 0; each < accepted.length(); each++) {
            long done = acknowledged.get(each);
            if (done < accepted.get(each)) {
                first = Math.min(first, done + 1);
            }
        }
        return first;
    }

    /** Any thread: the record at this offset is refused. Call it before the acknowledgement. */
    public void refuse(long offset) {
        refused.add(offset);
    }

    /** Any thread: the refused record at this offset is reported, and the report is confirmed. */
    public void reported(long offset) {
        refused.remove(offset);
    }

    /** Any thread: the first offset that is refused and not reported yet. */
    public OptionalLong firstRefused() {
        Iterator<Long> first = refused.iterator();
        return first.hasNext() ? OptionalLong.of(first.next()) : OptionalLong.empty();
    }

    /**
     * Lane thread: the only lane of this partition writes nothing from this offset on before the refused records are
     * reported. Everything below is written, refused and recorded as such, or postponed.
     */
    public void hold(long offset) {
        held = offset;
    }

    /** Lane thread: the lane goes on. */
    public void holdNothing() {
        held = NOTHING;
    }

    /** Task thread: whether everything that was accepted below this offset is written, refused or postponed. */
    public boolean isDoneBelow(long offset) {
        return held > offset || firstInLanes() >= offset;
    }

    /** Task thread: the partition belongs to another task now, or starts over. */
    public void revoke() {
        revoked = true;
    }

    /** Lane thread: the records must be delivered again, from where the server says. */
    public void giveUp(GivenUp why) {
        givenUp = Optional.of(why);
    }

    /** Any thread: why the lane gave this up, if it did. */
    public Optional<GivenUp> givenUp() {
        return givenUp;
    }

    /** Any thread: whether lanes drop what they hold of it, because it is revoked or given up. */
    public boolean isRevoked() {
        return revoked || givenUp.isPresent();
    }

    @Override
    public String toString() {
        return partition.toString();
    }
}
