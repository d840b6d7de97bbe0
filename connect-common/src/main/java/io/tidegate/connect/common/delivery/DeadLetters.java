package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.time.Milestones;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refused records wait here until the task thread has reported them, because Connect's reporter is not thread-safe.
 * Until its report is confirmed, a record counts as unwritten, so no commit is ahead of the dead letter queue. Lanes
 * add records and may ask whether all are reported. Only the task thread calls the other methods.
 */
public final class DeadLetters {
    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    private static final String REFUSED =
            "the worker's producer refused it; its reason is in the worker's log. For a letter that is too large, set"
                    + " producer.override.max.request.size, and max.message.bytes of the dead letter topic";

    private final Optional<ErrantRecordReporter> reporter;
    private final boolean tolerant;
    private final Clock clock;
    private final Supplier<OptionalLong> produceFailures;
    private final Queue<DeadLetter> added = new ConcurrentLinkedQueue<>();
    private final Queue<DeadLetter> letters = new ArrayDeque<>(); // task thread
    private final AtomicLong unsettled = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private volatile long dropped; // written by the task thread
    private Runnable whenConfirmed = () -> {}; // set before the first report
    private LongConsumer held = bytes -> {}; // set before the first record

    /**
     * The refused records of one task.
     *
     * @param reporter empty when neither a dead letter topic nor {@code errors.log.enable} is set
     * @param tolerant whether {@code errors.tolerance=all}; otherwise a refused record fails the task
     */
    public DeadLetters(Optional<ErrantRecordReporter> reporter, boolean tolerant, Clock clock) {
        this(reporter, tolerant, clock, ProduceFailures.UNKNOWN::count);
    }

    /**
     * The same, where the reporter may not tell of a letter that Kafka's producer has refused.
     *
     * @param produceFailures how many letters of the task the producer has failed to send, see {@link ProduceFailures}
     */
    public DeadLetters(
            Optional<ErrantRecordReporter> reporter,
            boolean tolerant,
            Clock clock,
            Supplier<OptionalLong> produceFailures) {
        this.reporter = requireNonNull(reporter, "reporter");
        this.tolerant = tolerant;
        this.clock = requireNonNull(clock, "clock");
        this.produceFailures = requireNonNull(produceFailures, "produceFailures");
    }

    /** Runs on the task thread each time when refused records are reported and confirmed, or dropped. */
    public void whenConfirmed(Runnable action) {
        whenConfirmed = requireNonNull(action, "action");
    }

    /**
     * Receives the bytes of each refused record when it is added, and their negative when it is settled. Any thread calls
     * it.
     */
    public void whenHeld(LongConsumer bytes) {
        held = requireNonNull(bytes, "bytes");
    }

    /** Any thread: this record is not written and never will be. */
    public void add(Progress progress, SinkRecord record, RefusedException reason) {
        DeadLetter letter = new DeadLetter(progress, record, reason);
        progress.refuse(record.originalKafkaOffset());
        unsettled.incrementAndGet();
        held.accept(letter.bytesHeld());
        added.add(letter);
        refused.increment();
        if (progress.isRevoked() && added.remove(letter)) { // the task thread may have looked before
            forget(letter);
        }
    }

    /** Any thread: a policy says to skip a record that the server refused. */
    void skip() {
        skipped.increment();
    }

    /** Any thread: records that a policy skipped since the start, although the server refused them. */
    public long skipped() {
        return skipped.sum();
    }

    /** Any thread: whether every added record is confirmed, dropped, or now belongs to the partition's next owner. */
    public boolean isSettled() {
        return unsettled.get() == 0;
    }

    /** Any thread: records refused since the start. */
    public long refused() {
        return refused.sum();
    }

    /** Any thread: refused records whose report was confirmed, since the start. */
    public long confirmed() {
        return confirmed.sum();
    }

    /** Any thread: refused records that were dropped without a report, since the start. */
    public long dropped() {
        return dropped;
    }

    /** Task thread: what lanes have added so far. */
    private Queue<DeadLetter> collected() {
        for (DeadLetter letter = added.poll(); letter != null; letter = added.poll()) {
            letters.add(letter);
        }
        return letters;
    }

    /**
     * Reports the records that were refused since the last call, and removes those that are confirmed.
     *
     * @throws ConnectException when errors are not tolerated: a refused record fails the task when all before it is written
     */
    public void report() throws InterruptedException {
        reportAndConfirm(0);
    }

    /**
     * Like {@link #report()}, but also waits for confirmations.
     *
     * @param nanos how long to wait at most, in total
     */
    public void reportAndConfirm(long nanos) throws InterruptedException {
        if (isSettled()) {
            return;
        }
        dropRevoked();
        boolean isAnyDone = false;
        for (DeadLetter letter : letters) {
            send(letter);
        }
        long deadline = clock.nanoTime() + nanos;
        for (Iterator<DeadLetter> sent = letters.iterator(); sent.hasNext(); ) {
            DeadLetter letter = sent.next();
            if (letter.isSettledWithin(nanos == 0 ? 0 : deadline - clock.nanoTime(), clock)) {
                sent.remove();
                settled(letter);
                isAnyDone = true;
                confirmed.add(reporter.isPresent() ? 1 : 0);
            }
        }
        if (isAnyDone) {
            whenConfirmed.run();
        }
    }

    /** Forgets the refused records of revoked partitions: their next owner gets them again. */
    public void dropRevoked() {
        if (!isSettled() && collected().removeIf(this::isSomebodyElses)) {
            whenConfirmed.run();
        }
    }

    private void settled(DeadLetter letter) {
        letter.progress().reported(letter.record().originalKafkaOffset());
        forget(letter);
    }

    private void forget(DeadLetter letter) {
        held.accept(-letter.bytesHeld());
        unsettled.decrementAndGet();
    }

    private boolean isSomebodyElses(DeadLetter letter) {
        if (letter.progress().isRevoked()) {
            settled(letter);
            return true;
        }
        return false;
    }

    /** Whether all that was accepted before the record is written or reported, or waits for its destination. */
    private static boolean isNext(DeadLetter letter) {
        long offset = letter.record().originalKafkaOffset();
        boolean isDone = letter.progress().isDoneBelow(offset); // asked first: what is not done yet may be refused
        return isDone && letter.progress().firstRefused().orElse(offset) >= offset;
    }

    private static String whatElse(DeadLetter letter) {
        OptionalLong pending = letter.progress().firstPending();
        return pending.isPresent() && pending.getAsLong() < letter.record().originalKafkaOffset()
                ? ", and records from offset " + pending.getAsLong() + " on still wait for their destination"
                : "";
    }

    private void send(DeadLetter letter) {
        if (letter.isReported()) {
            return;
        }
        if (!tolerant) {
            if (!isNext(letter)) {
                return; // the error is to name what is not written, and a restart goes on there
            }
            throw new ConnectException(
                    letter + " cannot be written: " + letter.reason().getMessage()
                            + ". The task stops before it" + whatElse(letter)
                            + ". To carry on past such records, set errors.tolerance=all and"
                            + " errors.deadletterqueue.topic.name",
                    letter.reason());
        }
        if (reporter.isPresent()) {
            letter.reported(sent(letter, reporter.get()));
        } else {
            letter.reported(CompletableFuture.completedFuture(null));
            reportDropped(letter);
        }
    }

    /** Sends a letter. One that was only logged, or is confirmed very soon, is no failure of the producer. */
    private Future<Void> sent(DeadLetter letter, ErrantRecordReporter kafka) {
        OptionalLong before = produceFailures.get();
        Future<Void> confirmation =
                kafka.report(letter.record(), letter.reason().asReported());
        boolean isRefused = confirmation.isDone()
                && before.isPresent()
                && produceFailures.get().orElse(0) > before.getAsLong();
        return isRefused ? CompletableFuture.failedFuture(new ConnectException(REFUSED)) : confirmation;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void reportDropped(DeadLetter letter) {
        dropped++;
        if (Milestones.isPassed(dropped - 1, dropped)) {
            log.warn(
                    "{} records dropped so far: they cannot be written, and errors.tolerance=all is set without"
                            + " errors.deadletterqueue.topic.name. The last one is {}: {}",
                    dropped,
                    letter,
                    letter.reason().getMessage());
        }
    }

    /** Whether anything waits to be reported or confirmed. */
    public boolean isEmpty() {
        return collected().isEmpty();
    }
}
