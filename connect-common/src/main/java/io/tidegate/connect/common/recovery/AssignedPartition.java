package io.tidegate.connect.common.recovery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Fingerprint;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.Progress.GivenUp;
import io.tidegate.connect.common.offset.StartingPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one partition while it is assigned to this task. Only the task thread changes it. A lane takes part by its
 * answers to claims, and by giving up its {@link Progress}.
 *
 * <pre>
 *   CLAIMING     nothing is delivered; the server is asked where the partition goes on
 *      | the server's answer
 *   REWINDING    Kafka is asked for one offset; nothing is delivered before Connect has gone back there
 *      | Connect delivers records that it has read after that
 *   CHECKING     the first record shows whether this is the log that was written
 *      |
 *   RUNNING      records are delivered, and above the offsets that the server lost, offsets are committed
 * </pre>
 *
 * Every state goes back to CLAIMING when a lane gives the partition up, or the consumer was set back. Without offsets in
 * the server a partition is RUNNING at once.
 */
public final class AssignedPartition {
    private static final Logger log = LoggerFactory.getLogger(AssignedPartition.class);

    /** How long a running task may take to learn that it has lost a partition: the time of some polls. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long a partition waits for a record while the task gets none at all. Kafka has it at once, or no longer. */
    static final Duration COMPARES_WITHIN = Duration.ofSeconds(30);

    /** How long it waits for the record that was written last when others have come: the broker may not have answered. */
    static final Duration GIVES_UP_WITHIN = Duration.ofMinutes(5);

    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long NOTHING = -1;
    private static final String NOT_DELIVERED = "Kafka delivers none of them again: they were removed by retention or"
            + " compaction, dropped by a transform, or are no records";

    private enum State {
        CLAIMING,
        REWINDING,
        CHECKING,
        RUNNING
    }

    private final Assignment task;
    private final boolean isClaimed; // whether the server keeps offsets
    private Progress progress;
    private State state;
    private Optional<Long> claimAt; // when to ask the server, as the clock's nanoTime; empty once it is asked
    private boolean isTaken; // whether another task had claimed it
    private long dropped = UNKNOWN; // the lowest offset that was dropped while CLAIMING
    private final List<Progress> earlier = new ArrayList<>(); // only without offsets on the server
    private boolean isPositioned; // whether Kafka's group was asked where it stands
    private long position; // of Kafka's group at the assignment, if it is known
    private boolean isGroupKnown; // whether it is, and the partition was not claimed again since
    private long written; // all records below it were written, as a lane or this task knew
    private long begin = UNKNOWN; // where this task's work on the partition began
    private StartingPoint start = new StartingPoint(0, Optional.empty());
    private long stored = NOTHING; // the next offset that the server has, as it said last; NOTHING before it did
    private long expected; // the offset that Kafka was asked for; REWINDING and CHECKING
    private boolean isToAsk; // whether it is yet to be asked
    private boolean isToCompare; // the record that was written last, with what Kafka has at its offset
    private boolean hasWaited; // for that record, in vain
    private long checkingSince; // as nanoTime
    private long came = UNKNOWN; // the lowest offset to which Kafka came instead, since the claim
    private boolean isBehind; // the server has lost records below had(), and does not have them again
    private boolean isFirst; // no record came since the partition went on behind

    AssignedPartition(Assignment task, Progress progress, boolean isClaimed, long now) {
        this.task = requireNonNull(task, "task");
        this.progress = requireNonNull(progress, "progress");
        this.isClaimed = isClaimed;
        this.state = isClaimed ? State.CLAIMING : State.RUNNING;
        this.claimAt = isClaimed ? Optional.of(now) : Optional.empty();
    }

    /** Who accepted records that lanes may still hold: before the consumer was set back, and now. */
    List<Progress> progresses() {
        List<Progress> all = new ArrayList<>(earlier);
        all.add(progress);
        return all;
    }

    /** Forgets what has no record left. */
    void forgetEarlier(Predicate<Progress> isDone) {
        earlier.removeIf(isDone);
    }

    /** Connect takes the partition away. */
    void revoke() {
        progresses().forEach(Progress::revoke);
    }

    /** Who accepts its records now. */
    public Progress progress() {
        return progress;
    }

    TopicPartition partition() {
        return progress.partition();
    }

    boolean isClaiming() {
        return state == State.CLAIMING;
    }

    /** All records below it are done, as the server, a lane or Kafka's group said. */
    private long had() {
        return Math.max(position, written);
    }

    // ---- transitions ----

    /** A lane has given the partition up. */
    void restartIfGivenUp(long now) {
        Optional<GivenUp> why = progress.givenUp();
        if (why.isEmpty()) {
            return;
        }
        written = Math.max(written, why.get().written());
        isTaken = why.get().isClaimedByAnother();
        isBehind |= !isTaken; // until the server says what it still has
        claimAgain(now + (isTaken ? PATIENCE.toNanos() : 0));
    }

    private void claimAgain(long at) {
        begin = Math.min(begin, progress.firstAccepted().orElse(UNKNOWN));
        isGroupKnown = false;
        replaceProgress();
        state = State.CLAIMING;
        claimAt = Optional.of(at);
        dropped = UNKNOWN;
        task.pause(partition());
    }

    private void replaceProgress() {
        progress.revoke();
        progress = task.newProgress(progress.partition(), progress.lane());
    }

    /** Whether to ask the server now where the partition goes on. It is true once for each claim. */
    boolean takeClaim(long now) {
        boolean isDue = claimAt.isPresent() && claimAt.get() - now <= 0;
        if (isDue) {
            claimAt = Optional.empty();
            sayIfTaken();
        }
        return isDue;
    }

    /**
     * A task that has lost a partition learns this with its next poll. If it does not, this task is the owner. The other
     * claim was then a late one: of a worker that was paused, or of a statement of this task that was believed lost.
     */
    private void sayIfTaken() {
        if (isTaken) {
            isTaken = false;
            log.warn(
                    "{} was claimed by another task {} s ago but is still assigned to this one: claiming it again",
                    this,
                    PATIENCE.toSeconds());
        }
    }

    /** The server has said where the partition goes on, or that it does not know it. */
    void claimed(Optional<StartingPoint> point) {
        if (point.isPresent()) {
            sayIfForgotten(point.get());
            goOnFrom(point.get());
        } else if (begin != UNKNOWN) {
            log.warn(
                    "{}: the server no longer has its offsets: it has lost commits. Records from {} on,"
                            + " where this task began, are delivered and written again; earlier ones may be missing there",
                    this,
                    begin);
            goOnFrom(new StartingPoint(begin, Optional.empty()));
        } else if (dropped != UNKNOWN) {
            goOnFrom(new StartingPoint(dropped, Optional.empty()));
        } else {
            isBehind = false;
            state = State.RUNNING;
        }
    }

    private void sayIfForgotten(StartingPoint point) {
        if (written > point.nextOffset()) {
            log.warn(
                    "{}: records below offset {} were written, but the server does not know them: it has lost commits. Records from {} on are delivered and written again",
                    this,
                    written,
                    point.nextOffset());
        }
    }

    private void goOnFrom(StartingPoint point) {
        start = point;
        stored = point.nextOffset();
        begin = Math.min(begin, point.nextOffset());
        isBehind = written > point.nextOffset();
        isFirst = isBehind;
        came = UNKNOWN;
        isToCompare = point.deliverFrom() < point.nextOffset();
        hasWaited = false;
        if (isPositioned) {
            compareWithKafka();
        }
        if (point.lastRecord().isPresent() && !point.lastRecord().get().isComparable()) {
            unchecked("nothing of the record at " + point.lastRecord().get().offset() + " can be compared");
        }
        askFor(point.deliverFrom());
    }

    private void unchecked(String why) {
        task.redeliveries().unchecked().increment();
        log.info(
                "{}: {}, so nothing shows whether this is the log that was written; going on at {}",
                this,
                why,
                start.nextOffset());
    }

    private void askFor(long offset) {
        expected = offset;
        isToAsk = false;
        task.ask(partition(), offset);
        state = State.REWINDING;
    }

    /** As {@link #askFor}, with the next put: before a commit Connect may be about to take the partition away. */
    private void askLaterFor(long offset) {
        expected = offset;
        isToAsk = true;
        state = State.REWINDING;
    }

    /** Makes delivery go on from this offset, whatever was delivered before. Everything below is done. */
    void goBackTo(long offset) {
        if (state == State.CLAIMING) {
            dropped = Math.min(dropped, offset);
        } else {
            askFor(offset);
        }
    }

    /** Connect delivers records. Before it read them, it has gone back where it was asked to. */
    void delivered() {
        if (state == State.REWINDING && isToAsk) {
            askFor(expected);
        } else if (state == State.REWINDING) {
            state = State.CHECKING;
            checkingSince = task.nanoTime();
        }
    }

    /**
     * A put is over, and may not have had the record that Kafka was asked for. The first time, that means little: the
     * partition waits elsewhere, and is compared when a record comes. Later, Kafka must have had nothing at all to deliver.
     *
     * @param idleSince since when no put had records, although nothing was paused, as nanoTime
     */
    void waits(long idleSince, long now) {
        if (state != State.CHECKING) {
            return;
        }
        long checking = now - checkingSince;
        long idle = Math.min(now - idleSince, checking);
        if (isComparing()) {
            if (hasWaited ? idle >= GIVES_UP_WITHIN.toNanos() : checking >= COMPARES_WITHIN.toNanos()) {
                compareLater();
            }
        } else if (came != UNKNOWN && idle >= GIVES_UP_WITHIN.toNanos()) {
            placeAfter(expected, came + 1).ifPresent(this::askFor); // at last where a record came
        }
    }

    /**
     * The record that was written last does not come. The partition waits at the next offset instead. Connect commits for it
     * where it has gone back to, and would set Kafka's group back to a record that is written. Kafka may also have records
     * from there on, and none that leads to them. When anything comes there, the last record is asked for once more.
     */
    private void compareLater() {
        if (hasWaited) {
            lastIsGone();
        }
        hasWaited = true;
        askFor(start.nextOffset());
    }

    /** Whether Kafka was asked for the record that was written last. */
    private boolean isComparing() {
        return state == State.CHECKING && isToCompare && expected < start.nextOffset();
    }

    /**
     * Whether this record is to be mapped and written now.
     *
     * @throws ConnectException when it shows another log, or that records are missing and the task is to fail then
     */
    public boolean admits(SinkRecord record) {
        long offset = record.originalKafkaOffset();
        return switch (state) {
            case RUNNING -> (!isBehind && !isSetBackTo(offset)) || admitsSlowly(offset);
            case CHECKING -> isAdmittedFirst(record);
            case REWINDING -> false;
            case CLAIMING -> {
                dropped = Math.min(dropped, offset);
                yield false;
            }
        };
    }

    private boolean isSetBackTo(long offset) {
        return offset < stored || progress.isSetBackTo(offset);
    }

    private boolean admitsSlowly(long offset) {
        if (!isSetBackTo(offset)) {
            countDeliveredAgain(offset);
            return true;
        }
        log.info("{} was set back to an offset that was delivered before: it starts over there", this);
        if (!isClaimed) { // lanes finish what they hold, because Kafka may not deliver it again
            earlier.add(progress);
            progress = task.newProgress(partition(), progress.lane());
            return true;
        }
        written = Math.max(written, stored);
        claimAgain(task.nanoTime());
        dropped = offset;
        return false;
    }

    private boolean isAdmittedFirst(SinkRecord record) {
        long offset = record.originalKafkaOffset();
        long next = start.nextOffset();
        if (isClaimed && offset < expected) {
            throw otherLog("Kafka was asked for offset " + expected + " and delivered " + offset
                    + ", so the log is shorter than it was");
        }
        if (isComparing()) {
            check(record);
        }
        OptionalLong before = placeBefore(offset);
        if (before.isPresent()) {
            askFor(before.getAsLong());
            return false;
        }
        state = State.RUNNING;
        return offset >= next && admits(record);
    }

    /**
     * Where to ask Kafka next when it has come to this offset; empty if the partition goes on here. With {@code
     * auto.offset.reset=latest} the consumer goes to the end of the partition if Kafka no longer has the offset that was
     * asked for. It may have others: those not written, those above what the server lost, and those to which it came
     * before. Each is asked for once, because it is above the one before.
     */
    private OptionalLong placeBefore(long offset) {
        long next = start.nextOffset();
        if (offset + 1 < next) {
            return OptionalLong.of(next); // those between are done, although no row moved the offset
        }
        if (!isClaimed) {
            return OptionalLong.empty();
        }
        came = Math.min(came, offset);
        if (isToCompare) {
            return OptionalLong.of(start.deliverFrom());
        }
        return placeAfter(expected, offset);
    }

    private OptionalLong placeAfter(long asked, long end) {
        long next = start.nextOffset();
        return LongStream.of(next, Math.max(next, had()), came)
                .filter(place -> place > asked && place < end)
                .min();
    }

    private void check(SinkRecord record) {
        Fingerprint last = start.lastRecord().orElseThrow();
        if (record.originalKafkaOffset() > last.offset()) {
            lastIsGone();
            return;
        }
        isToCompare = false;
        switch (last.comparedWith(Fingerprint.of(record))) {
            case SAME -> {}
            case ANOTHER -> throw otherLog("the record at " + last.offset() + " is not the one that was written last");
            case UNKNOWN -> unchecked("nothing of the record at " + last.offset() + " can be compared");
        }
    }

    private void lastIsGone() {
        isToCompare = false;
        unchecked("the record at " + start.deliverFrom() + ", the last one written, is no longer in Kafka");
    }

    private ConnectException otherLog(String evidence) {
        return new ConnectException(this + " does not have the records that were written up to offset "
                + start.nextOffset() + ": " + evidence
                + ". The topic was recreated or truncated, or is another cluster's, or a transform gives records"
                + " another timestamp each time. Nothing of it is written."
                + " To write it from its beginning, stop the connector and call PATCH /connectors/"
                + task.connector() + "/offsets with {\"offsets\": [{\"partition\": {\"kafka_topic\": \""
                + partition().topic() + "\", \"kafka_partition\": "
                + partition().partition()
                + "}, \"offset\": {\"kafka_offset\": 0}}]}; to go on where the server stands, with"
                + " \"kafka_offset\": "
                + start.nextOffset()
                + (isGroupKnown && position > 0 && position != start.nextOffset()
                        ? "; to go on where Kafka's group stood, with " + position
                        : "")
                + "; then resume it");
    }

    /** Counts a record of a partition whose server has lost some. The first shows what Kafka no longer has. */
    private void countDeliveredAgain(long offset) {
        if (isFirst && offset > start.nextOffset()) {
            missing(start.nextOffset(), Math.min(offset, had()));
        }
        isFirst = false;
        if (offset < had()) {
            task.redeliveries().deliveredAgain().increment();
        }
    }

    private void missing(long from, long end) {
        task.redeliveries().missing().add(end - from);
        if (task.failsOnMissing()) {
            throw new ConnectException(this + ": the server lost offsets " + from + " to " + (end - 1) + ", and "
                    + NOT_DELIVERED + "; behavior.on.missing.records=warn goes on without them");
        }
        log.warn("{}: the server lost offsets {} to {}, and {}", this, from, end - 1, NOT_DELIVERED);
    }

    // ---- commits ----

    /**
     * Takes over what the same task knew of the partition before it started over, so that it notices if the server has
     * come back older meanwhile.
     */
    void continues(AssignedPartition before) {
        if (!isClaimed || !before.isClaimed) {
            return; // it begins, or began, elsewhere than the server's offsets
        }
        OptionalLong first = before.progress.firstAccepted();
        OptionalLong pending = before.progress.firstPending();
        boolean isAnyDone = first.isPresent() && (pending.isEmpty() || pending.getAsLong() > first.getAsLong());
        begin = Math.min(before.begin, isAnyDone ? first.getAsLong() : UNKNOWN);
        written = before.had();
    }

    /** Kafka was read before: where the group stood is not known. */
    void openedLate() {
        isPositioned = true;
    }

    /** How far Kafka was read. Before Connect has gone back anywhere, that is where the group stands. */
    void offered(long offset) {
        if (!isPositioned && (state == State.CLAIMING || state == State.REWINDING)) {
            position = offset;
            isGroupKnown = true;
            if (state == State.REWINDING) {
                compareWithKafka();
            }
        }
        isPositioned = true;
        if (state == State.CHECKING && offset > Math.max(expected, start.nextOffset())) {
            if (isComparing()) {
                lastIsGone();
            }
            // A transform drops whatever comes.
            placeBefore(offset).ifPresentOrElse(this::askLaterFor, () -> state = State.RUNNING);
        }
    }

    /**
     * Kafka's group is never ahead of the server's offsets. If they are behind it, the server was restored to an older
     * state.
     */
    private void compareWithKafka() {
        if (position > start.nextOffset() && position > written) {
            isBehind = true;
            isFirst = true;
            log.warn(
                    "{}: Kafka's group stands at {}, but the server's offsets say {}: the server has lost commits. Records from {} on are delivered and written again",
                    this,
                    position,
                    start.nextOffset(),
                    start.nextOffset());
        } else if (isGroupKnown && position < start.nextOffset()) {
            task.goesOnAhead(partition(), position, start.nextOffset());
        }
    }

    /**
     * Whether the server has lost records, or may have, and does not have them again. Connect must commit nothing of the
     * task meanwhile: it would commit for this partition the place to which it has gone back, and the loss would be
     * forgotten.
     */
    boolean isCatchingUp() {
        return isBehind || isLost();
    }

    private boolean isLost() {
        return progress.givenUp().filter(why -> !why.isClaimedByAnother()).isPresent();
    }

    /**
     * The part of an offered offset below which everything is done.
     *
     * @param unfinished the first record that is neither written nor reported as refused
     */
    OptionalLong done(long offered, OptionalLong unfinished) {
        if (state == State.RUNNING) {
            return OptionalLong.of(Math.min(offered, unfinished.orElse(UNKNOWN)));
        }
        return isClaimed ? OptionalLong.empty() : OptionalLong.of(Math.min(offered, expected));
    }

    /** The server's next offset is this one. */
    void stored(long next) {
        stored = next;
        isBehind = isBehind && next < had();
    }

    /** What Kafka is told of a done offset: nothing that the server does not have, and nothing below what it had. */
    OptionalLong told(long done) {
        long next = Math.min(done, stored);
        if (isLost() || next < Math.max(had(), start.nextOffset())) {
            return OptionalLong.empty();
        }
        written = Math.max(written, next);
        return OptionalLong.of(next);
    }

    /** From where another pipeline has to go on. */
    OptionalLong resume(OptionalLong unfinished) {
        if (state == State.RUNNING && !progress.isRevoked()) {
            return unfinished;
        }
        long begun = Math.min(begin, progress.firstAccepted().orElse(UNKNOWN)); // a lane may have given it up just now
        long from = state == State.REWINDING || state == State.CHECKING ? expected : Math.min(begun, dropped);
        return from == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(from);
    }

    @Override
    public String toString() {
        return partition().toString();
    }
}
