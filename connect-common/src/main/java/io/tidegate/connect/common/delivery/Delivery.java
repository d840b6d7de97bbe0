package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Identity;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.time.Outage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes every document, refuses or skips it, or postpones it while the server accepts nothing for its destination. This is the
 * only place that retries and splits a batch. A lane's thread uses it. The documents of a batch are written in order.
 * No document is written before an earlier one of the same destination that must be retried. While the server accepts
 * nothing at all, no later document is sent.
 *
 * <p>Other places that retry something, each for one reason:
 *
 * <ul>
 *   <li>JSONB {@code PostgresDataSource} and {@code SessionOptions}: open a connection again while a lane waits for one,
 *       without options that the server refuses.
 *   <li>Elasticsearch {@code ElasticsearchSession}: asks a credentials provider, and then the server, once more when the
 *       server refuses what the provider gave.
 *   <li>JSONB {@code RowGroupWriter}: after a unique violation it sends the rows again with a conflict clause, and
 *       once more during a {@code REINDEX}; or, with {@code insert.mode=insert}, without those that are stored.
 *   <li>JSONB {@code BatchWrite}: writes the groups of a joint statement one by one when it failed, to learn which
 *       is at fault.
 *   <li>JSONB {@code TrialInsert}: tries the rows of a rejected group to learn which are at fault, and undoes that.
 *   <li>Elasticsearch {@code AccessGrace}: classifies a closed way to the server as an outage for a while; this class
 *       then retries.
 *   <li>{@code SinkPipeline}: while the schema registry does not answer, records wait, and each {@code put} asks it again.
 *   <li>{@code DocumentSinkTask}: starts over when a lane has failed, or waits for access, and the settings have changed.
 *       Connect then delivers the unwritten records again.
 *   <li>{@code Verification}: asks again whether the server still has what was written.
 * </ul>
 */
public final class Delivery {
    private static final Logger log = LoggerFactory.getLogger(Delivery.class);

    /** The fact in a dead letter that gives the number of attempts that its batch had taken. */
    private static final String ATTEMPTS = "attempts";

    private static final String CANCELLED = "cancelled, because it held records of a revoked partition";

    private final BatchWriter writer;
    private final RetryPolicy policy;
    private final DeadLetters letters;
    private final Clock clock;
    private final DoubleSupplier dice;
    private final AttemptObserver observer;
    private final Outage outage;
    private final Outage waiting; // for attempts that failed although the server is well
    private final SizeLimit limit;
    private final String target;
    private final Rules rules;
    private final LaneOverrides overrides;
    private final PostponedDocuments postponed;
    private volatile boolean isAwaitingReports; // written by the lane thread
    private volatile Optional<WriteException> unavailable = Optional.empty(); // written by the lane thread

    /**
     * What a delivery knows of the server.
     *
     * @param target names the server and destination in messages
     * @param keepsOffsets whether the server keeps the offsets, so that later records wait for the report of a refused
     *     one: after a crash it would count as written
     * @param separatesKeys see {@link Target#separatesKeys}
     * @param overrides the errors that are not handled as the failure table says
     */
    public record Rules(String target, boolean keepsOffsets, boolean separatesKeys, ErrorOverrides overrides) {
        public Rules {
            requireNonNull(target, "target");
            requireNonNull(overrides, "overrides");
        }

        /** The rules of a task. */
        public static Rules of(Target target) {
            return new Rules(
                    target.description(), target.keepsOffsets(), target.separatesKeys(), target.errorOverrides());
        }
    }

    /**
     * Admits or stops each attempt of a delivery. The lane implements it, because it may be stopped or lose a
     * partition.
     */
    public interface Gate {
        /**
         * Called before an attempt.
         *
         * @return the documents that still belong to this task, because the next owner writes the others; or empty when
         *     the lane must stop: the rest is given up and not acknowledged
         */
        Optional<List<Document>> enter(List<Document> documents);

        /** Called after the attempt, whatever its result. */
        void leave();

        /** Whether the last attempt was cancelled here, so that its failure says nothing about the server. */
        default boolean wasCancelled() {
            return false;
        }

        /** Whether the lane must stop, so that the failure of an attempt may come from that. */
        default boolean isStopped() {
            return false;
        }

        /**
         * Waits, but only until the lane must stop or a partition is revoked.
         *
         * @return false when the lane must stop
         */
        boolean pause(Duration duration) throws InterruptedException;

        /**
         * Waits until this is so, or until the lane must stop.
         *
         * @return false when the lane must stop
         */
        boolean await(BooleanSupplier until) throws InterruptedException;
    }

    /**
     * The delivery of one lane.
     *
     * @param dice from 0 (inclusive) to 1 (exclusive), for the jitter of pauses
     * @param destinations the task's destinations for which the server accepts nothing now
     */
    public Delivery(
            BatchWriter writer,
            Rules rules,
            RetryPolicy policy,
            DeadLetters letters,
            Clock clock,
            DoubleSupplier dice,
            PostponedDestinations destinations,
            AttemptObserver observer) {
        this.observer = requireNonNull(observer, "observer");
        this.rules = requireNonNull(rules, "rules");
        this.overrides = new LaneOverrides(rules.overrides(), clock);
        this.writer = requireNonNull(writer, "writer");
        this.policy = requireNonNull(policy, "policy");
        this.letters = requireNonNull(letters, "letters");
        this.clock = requireNonNull(clock, "clock");
        this.dice = requireNonNull(dice, "dice");
        this.target = rules.target();
        this.outage = new Outage(target, "be written to");
        this.waiting = new Outage(target, "accept another batch of this task");
        this.limit = new SizeLimit(target);
        this.postponed = new PostponedDocuments(destinations, policy, clock, dice, rules.keepsOffsets());
    }

    /**
     * Writes, refuses or postpones every document, except those whose partition is revoked meanwhile.
     *
     * @param supersededBy gives the earlier document with the same key that a document replaces. The earlier one is
     *     written if the later one is refused
     * @return false when the lane was told to stop before all was done
     * @throws ConnectException when the task must fail; its message says why and what to change
     */
    public boolean deliver(List<Document> documents, Function<Document, Optional<Document>> supersededBy, Gate gate)
            throws InterruptedException {
        return new Round(supersededBy, gate).deliver(documents);
    }

    /**
     * Asks the server where partitions continue, until it answers or they are revoked.
     *
     * @return from where each continues; empty when the lane was told to stop before the answer
     * @throws ConnectException when the task must fail; its message says why and what to change
     */
    public Optional<Map<Progress, Optional<StartingPoint>>> claim(Collection<Progress> partitions, Gate gate)
            throws InterruptedException {
        List<Progress> ours = stillOurs(partitions);
        overrides.forgetOffsets(); // of partitions that the lane had before
        while (!ours.isEmpty()) {
            if (gate.enter(List.of()).isEmpty()) { // from now on a revocation ends the pause
                return Optional.empty();
            }
            try {
                Map<Progress, Optional<StartingPoint>> points = offsets().claim(ours);
                answered();
                overrides.forgetOffsets();
                asked(Optional.empty());
                return Optional.of(points);
            } catch (WriteException e) {
                if (gate.isStopped()) {
                    return Optional.empty();
                }
                WriteException left = overridden(e);
                asked(Optional.of(left));
                if (!gate.pause(nextPause(left, Extent.ofOffsets(ours)))) {
                    return Optional.empty();
                }
            }
            ours = stillOurs(ours);
        }
        nothingIsLeft();
        return Optional.of(Map.of());
    }

    /** An attempt without documents is over. */
    private void asked(Optional<WriteException> left) {
        observer.attempted(List.of(), List.of(), left, 0);
    }

    /** All that waited for the server was taken away, so whether it is well is not known here any more. */
    private void nothingIsLeft() {
        outage.forget();
        waiting.forget();
        unavailable = Optional.empty();
        asked(Optional.empty());
    }

    private ServerOffsets offsets() {
        return writer.offsets().orElseThrow();
    }

    private static List<Progress> stillOurs(Collection<Progress> partitions) {
        return partitions.stream().filter(each -> !each.isRevoked()).toList();
    }

    /**
     * Raises the next offsets that the server keeps. It tries once: the next commit asks again. Until then Kafka is not
     * told.
     *
     * @return the next offsets that the server has, if it answered
     * @throws ConnectException when the task must fail; its message says why and what to change
     */
    public Map<Progress, Long> store(Map<Progress, Long> nextOffsets, Gate gate) {
        try {
            Map<Progress, Long> stored = offsets().store(nextOffsets);
            answered();
            overrides.forgetOffsets();
            return stored;
        } catch (WriteException e) {
            if (!gate.isStopped()) {
                Duration unused = nextPause(overridden(e), Extent.ofOffsets(nextOffsets.keySet()));
            }
            return Map.of();
        }
    }

    private WriteException overridden(WriteException e) {
        return overrides.applied(e);
    }

    private boolean keepsOffsets() {
        return rules.keepsOffsets();
    }

    /**
     * Asks whether the server still has what was written. It tries once and counts nothing: the task asks again.
     *
     * @return whether the server answered
     */
    public boolean verify() {
        try {
            offsets().verify();
            if (outage.isOngoing()) { // of a commit, which comes again later
                answered();
            }
            return true;
        } catch (WriteException e) {
            log.debug("{} does not say whether it still has what was written", target, e);
            return false;
        }
    }

    /** Any thread: whether the last attempt found the server unable to write. */
    public boolean isInOutage() {
        return outage.isOngoing();
    }

    /** Any thread: how the last attempt failed, if it found the server unable to write. */
    public Optional<WriteException> unavailable() {
        return unavailable;
    }

    /** Any thread: whether documents wait until the task thread has reported refused records. */
    public boolean isAwaitingReports() {
        return isAwaitingReports;
    }

    /** When to deliver postponed documents again, as {@link Clock#nanoTime()}; empty when there are none. */
    public OptionalLong nextRetry() {
        return postponed.nextRetry();
    }

    /** Returns the postponed documents that are due, in order. The next delivery must deliver them. */
    public List<Document> takeDue(int rows, long bytes) {
        boolean isAnyPostponed = nextRetry().isPresent();
        List<Document> due = postponed.takeDue(rows, bytes);
        endedIf(isAnyPostponed);
        return due;
    }

    /**
     * Call it after each delivery that was not stopped. From then on the offsets of postponed documents are not committed,
     * whatever the lane acknowledges.
     *
     * @param lane the number under which the lane acknowledges
     * @throws ConnectException when a destination has failed too often or for too long
     */
    public void settle(int lane) {
        boolean isAnyPostponed = nextRetry().isPresent();
        postponed.settle(lane);
        endedIf(isAnyPostponed);
    }

    /** What was postponed may be taken away instead of written, so that no answer shows that the server is well. */
    private void endedIf(boolean wasAnyPostponed) {
        if (wasAnyPostponed && nextRetry().isEmpty()) {
            nothingIsLeft();
        }
    }

    /** Bytes of the documents that were postponed since the last call. */
    public long takeBytesPostponed() {
        return postponed.takeBytesAdded();
    }

    /**
     * Task thread: forgets postponed documents of revoked partitions.
     *
     * @return how many bytes they held
     */
    public long dropRevoked() {
        return postponed.dropRevoked();
    }

    /** One batch in delivery, with the parts into which it was split. */
    private final class Round {
        private final Function<Document, Optional<Document>> supersededBy;
        private final Gate gate;
        private final Deque<List<Document>> parts = new ArrayDeque<>(); // the next one on top
        private int attempts;

        Round(Function<Document, Optional<Document>> supersededBy, Gate gate) {
            this.supersededBy = supersededBy;
            this.gate = gate;
        }

        boolean deliver(List<Document> documents) throws InterruptedException {
            boolean isTakenAway = false;
            parts.push(documents);
            while (!parts.isEmpty()) {
                if (!awaitReports()) {
                    return false;
                }
                List<Document> part = bounded(passing(parts.pop()));
                Optional<List<Document>> entered = gate.enter(part);
                if (entered.isEmpty()) {
                    return false;
                }
                List<Document> ours = entered.get();
                if (ours.size() < part.size()) {
                    restoreSuperseded(part, ours);
                }
                if (!ours.isEmpty() && !attempt(ours)) {
                    return false;
                }
                isTakenAway = ours.isEmpty() && !part.isEmpty();
            }
            if (isTakenAway && nextRetry().isEmpty()) {
                nothingIsLeft();
            }
            return true;
        }

        /** Returns the documents that may be sent now. Postpones others, or queues them as the next part. */
        private List<Document> passing(List<Document> part) {
            PostponedDocuments.Sorted sorted = postponed.sorted(part);
            sorted.waiting().forEach(this::postpone);
            if (!sorted.behind().isEmpty()) {
                parts.push(sorted.behind());
            }
            return sorted.now();
        }

        /** Postpones a document, and the one that it superseded: the later one may still be refused. */
        private void postpone(Document document) {
            if (postponed.isPostponing(document.destination())) {
                overrides.waits(document);
            }
            Deque<Document> chain = new ArrayDeque<>();
            for (Optional<Document> each = Optional.of(document);
                    each.isPresent();
                    each = supersededBy.apply(each.get())) {
                overrides.waits(each.get(), document);
                chain.push(each.get());
            }
            postponed.add(chain);
        }

        /** Returns as many documents as may be sent at once, and queues the rest as the next part. */
        private List<Document> bounded(List<Document> part) {
            int most = part.isEmpty() ? 0 : limit.fitting(part);
            if (rules.separatesKeys()) {
                most = withDistinctKeys(part.subList(0, most));
            }
            if (most == part.size()) {
                return part;
            }
            parts.push(part.subList(most, part.size()));
            return part.subList(0, most);
        }

        private static int withDistinctKeys(List<Document> part) {
            Set<Identity> seen = new HashSet<>();
            int count = 0;
            while (count < part.size() && (!part.get(count).hasKey() || seen.add(Identity.of(part.get(count))))) {
                count++;
            }
            return count;
        }

        /**
         * Makes the next part one that may be written now. With offsets on the server, a record behind a refused one may
         * not be written before that is reported, because its offset would count as done.
         *
         * @return false when the lane was told to stop
         */
        private boolean awaitReports() throws InterruptedException {
            if (!keepsOffsets() || letters.isSettled()) {
                return true;
            }
            List<Document> next = parts.pop();
            List<Document> behind = BehindRefused.of(next);
            if (behind.isEmpty()) {
                parts.push(next);
                return true;
            }
            parts.push(behind);
            if (behind.size() < next.size()) {
                Set<Document> waiting = new HashSet<>(behind);
                parts.push(next.stream().filter(each -> !waiting.contains(each)).toList());
                return true;
            }
            BehindRefused.hold(behind);
            isAwaitingReports = true;
            boolean goesOn = gate.await(() -> BehindRefused.of(behind).size() < behind.size());
            isAwaitingReports = false;
            BehindRefused.release(behind);
            return goesOn && awaitReports();
        }

        /**
         * If a revoked document superseded one of a partition that is still ours, only this task can write the earlier
         * one.
         */
        private void restoreSuperseded(List<Document> part, List<Document> ours) {
            Set<Document> kept = new HashSet<>(ours);
            restoreSuperseded(part.stream().filter(each -> !kept.contains(each)).toList());
        }

        private void restoreSuperseded(List<Document> unwritten) {
            List<Document> earlier = unwritten.stream()
                    .flatMap(each -> supersededBy.apply(each).stream())
                    .toList();
            if (!earlier.isEmpty()) {
                parts.push(earlier);
            }
        }

        private boolean attempt(List<Document> part) throws InterruptedException {
            WriteException left;
            long begin = clock.nanoTime();
            try {
                List<Refusal> named = overrides.applied(write(part));
                answered();
                limit.succeeded(part);
                if (named.stream().allMatch(Refusal::isFinal)) {
                    observer.attempted(written(part), named, Optional.empty(), clock.nanoTime() - begin);
                    finish(named);
                    return true;
                }
                left = WriteException.ofNamed(part, named);
            } catch (WriteException e) {
                left = (gate.wasCancelled() ? cancelled(e) : overridden(e)).named(part);
            }
            observer.attempted(written(part), left.refusals(), Optional.of(left), clock.nanoTime() - begin);
            return recover(part, left, clock.nanoTime() - begin);
        }

        /** No outage, and no attempt that {@code max.retries} counts. What is said of single documents stays so. */
        private WriteException cancelled(WriteException e) {
            return switch (e.failure()) {
                case TRANSIENT, TOO_MUCH ->
                    e.with(overrides.applied(e.refusals())).as(Failure.BUSY, CANCELLED, Map.of());
                case BUSY, DESTINATION, REJECTED, SKIPPED, FATAL -> overridden(e); // it came before that
            };
        }

        /** Without the partitions that the attempt has found to be another task's, or older on the server: it left them out. */
        private List<Document> written(List<Document> part) {
            Predicate<Document> isWritten =
                    document -> document.progress().givenUp().isEmpty();
            return !keepsOffsets() || part.stream().allMatch(isWritten)
                    ? part
                    : part.stream().filter(isWritten).toList();
        }

        private List<Refusal> write(List<Document> part) throws WriteException {
            attempts++;
            try {
                return writer.write(part);
            } finally {
                gate.leave();
            }
        }

        private boolean recover(List<Document> attempted, WriteException e, long nanos) throws InterruptedException {
            if (gate.isStopped()) {
                log.debug("An attempt failed while its lane was stopped", e);
                finish(e.refusals());
                return false;
            }
            postponed.failed(e.destinations(), e.isSlow() ? Math.max(1, nanos) : 0);
            switch (e.failure()) {
                case TRANSIENT, BUSY, TOO_MUCH -> {
                    if (e.failure() == Failure.TRANSIENT) {
                        limit.unavailable(attempted, e.getMessage());
                    }
                    parts.push(e.unwritten());
                    finish(e.refusals());
                    boolean isOurDoing = e.failure() == Failure.BUSY && gate.wasCancelled();
                    return isOurDoing || gate.pause(nextPause(e, Extent.of(e.unwritten())));
                }
                case DESTINATION -> {
                    answered();
                    parts.push(passing(e.unwritten()));
                    finish(e.refusals());
                    return true;
                }
                case REJECTED -> {
                    answered();
                    if (e.refusals().isEmpty()) {
                        split(e);
                    } else {
                        parts.push(e.unwritten()); // the server named the fault, so these may be valid
                        finish(e.refusals());
                    }
                    return true;
                }
                case SKIPPED, FATAL -> throw hopeless(e, Extent.of(e.unwritten()));
            }
            throw new AssertionError(e.failure());
        }

        private void split(WriteException e) {
            List<Document> unwritten = e.unwritten();
            if (unwritten.size() == 1) {
                Refusal alone = new Refusal(unwritten.get(0), Failure.REJECTED, e.codes(), e.reason());
                finish(overrides.applied(List.of(alone)));
            } else {
                int half = unwritten.size() / 2;
                parts.push(unwritten.subList(half, unwritten.size()));
                parts.push(unwritten.subList(0, half));
            }
        }

        /** Refuses or skips documents. Either way, the earlier ones that they superseded are to be written. */
        private void finish(List<Refusal> named) {
            for (Refusal refusal : named) {
                Document document = refusal.document();
                if (refusal.failure() == Failure.SKIPPED) {
                    letters.skip();
                } else {
                    letters.add(
                            document.progress(),
                            document.delivered(),
                            refusal.reason().with(ATTEMPTS, attempts));
                }
            }
            restoreSuperseded(named.stream().map(Refusal::document).toList());
        }
    }

    private ConnectException hopeless(WriteException e, String what) {
        return new ConnectException(
                target + " refused " + what + " and will not accept them until something is changed: " + e.getMessage(),
                e);
    }

    /** The server answered: it accepted something, or named what it does not accept. */
    private void answered() {
        long now = clock.nanoTime();
        outage.over(now);
        waiting.over(now);
        unavailable = Optional.empty();
    }

    private Duration nextPause(WriteException e, String where) {
        return switch (e.failure()) {
            case TRANSIENT -> retryPause(e, where);
            case BUSY -> {
                waiting.failed(clock.nanoTime(), where, e.getMessage());
                yield policy.pause(waiting.attempts(), dice.getAsDouble(), e.retryAfter());
            }
            case TOO_MUCH -> {
                if (e.unwritten().size() <= 1) {
                    yield retryPause(e, where);
                }
                limit.tooMuch(e.unwritten(), e.getMessage());
                yield policy.pause(1, dice.getAsDouble(), e.retryAfter());
            }
            case DESTINATION, REJECTED, SKIPPED, FATAL -> throw hopeless(e, where);
        };
    }

    private Duration retryPause(WriteException e, String where) {
        long now = clock.nanoTime();
        unavailable = Optional.of(e); // before the outage, which others see
        outage.failed(now, where, e.getMessage());
        int attempts = outage.attempts();
        Duration elapsed = outage.elapsed(now);
        Optional<String> forbidden = policy.forbidden(attempts, elapsed);
        if (forbidden.isPresent()) {
            throw new ConnectException(
                    target + " could not take " + where + " in " + attempts + " attempts over " + elapsed.toMillis()
                            + " ms, and " + forbidden.get() + " allows no more: " + e.getMessage(),
                    e);
        }
        return policy.pause(attempts, dice.getAsDouble(), e.retryAfter());
    }
}
