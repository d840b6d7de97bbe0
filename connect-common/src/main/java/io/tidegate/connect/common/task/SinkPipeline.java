package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.ProduceFailures;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.HeapWeight;
import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.recovery.AssignedPartition;
import io.tidegate.connect.common.recovery.Assignment;
import io.tidegate.connect.common.recovery.Redeliveries;
import io.tidegate.connect.common.recovery.Verification;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.spi.AccessRefusedException;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A started task: it passes records to the lanes and returns offsets. It exists from a successful start to the stop.
 * Only the task thread uses it. It never returns an offset above a record that is neither written nor reported as
 * refused.
 */
final class SinkPipeline {
    private static final Logger log = LoggerFactory.getLogger(SinkPipeline.class);

    /** How soon Connect calls {@code put} again while partitions are paused, in milliseconds. */
    private static final long PAUSED_POLL_MS = 20;

    /** How soon Connect calls {@code put} again while partitions are paused in an outage, in milliseconds. */
    private static final long OUTAGE_POLL_MS = 500;

    /** How soon Connect calls {@code put} again while anything is under way, in milliseconds. */
    private static final long BUSY_POLL_MS = 100;

    /** How soon Connect calls {@code put} again while nothing is under way, in milliseconds. */
    private static final long IDLE_POLL_MS = 60_000;

    /**
     * The same where the server keeps the offsets of a task's partitions, in milliseconds. Connect opens new partitions during a poll, which does
     * not end early for them. Nothing of them is delivered before {@code put} has taken the server's answer.
     */
    private static final long IDLE_OWNER_POLL_MS = 1_000;

    /**
     * How soon Connect calls {@code put} again while schemas of records cannot be fetched, in milliseconds. Each call asks
     * for them.
     */
    private static final long PREPARE_RETRY_MS = 1_000;

    private final SinkTaskContext context;
    private final TaskSettings settings;
    private final Target target;
    private final DocumentMapper mapper;
    private final DeadLetters letters;
    private final WorkerMemory.Share memory;
    private final PostponedDestinations postponed;
    private final Unmapped unmapped = new Unmapped();
    private final Backpressure backpressure;
    private final TaskMetrics metrics;
    private final int batchRows;
    private final Clock clock;
    private boolean wroteBefore; // the task, with other settings
    private long putBytes; // of the records that the current put maps
    private final PollBytes pollBytes;
    private final List<Lane> lanes = new ArrayList<>();
    private final LaneAssigner assigner;
    private final Verification verification;
    private final List<List<Document>> slices = new ArrayList<>();
    private final Assignment assignment;
    private long closedBy; // the deadline of the last close; before one, when this was made
    private Optional<RetriableException> unprepared = Optional.empty(); // why records cannot be mapped now

    /**
     * Opens a lane for each request that may be in flight.
     *
     * @param target closed by {@link #stop}, or by the caller when this constructor throws
     */
    SinkPipeline(
            SinkTaskContext context,
            TaskSettings settings,
            LaneSettings laneSettings,
            RetrySettings retrySettings,
            Target target,
            Clock clock) {
        this.context = requireNonNull(context, "context");
        this.settings = requireNonNull(settings, "settings");
        this.target = requireNonNull(target, "target");
        this.clock = requireNonNull(clock, "clock");
        this.closedBy = clock.nanoTime();
        this.mapper = target.mapper();
        this.letters = new DeadLetters(
                Optional.ofNullable(context.errantRecordReporter()),
                settings.toleratesErrors(),
                clock,
                ProduceFailures.of(settings.connector(), settings.task())::count);
        this.memory = WorkerMemory.WORKER.join();
        this.postponed = new PostponedDestinations(target.description(), clock);
        this.pollBytes = new PollBytes(clock);
        this.backpressure = new Backpressure(
                context, this::mostBytesHeld, unmapped::bytesHeld, postponed::bytes, pollBytes::most, memory::withFree);
        Redeliveries redeliveries = new Redeliveries();
        this.assignment = new Assignment(
                context,
                new Assignment.Rules(settings.connector(), target.keepsOffsets(), target.failsOnMissing()),
                lanes,
                clock,
                redeliveries);
        this.metrics = new TaskMetrics(
                clock,
                backpressure::bytesHeld,
                this::mostBytesHeld,
                unmapped::bytesHeld,
                postponed,
                letters,
                redeliveries);
        this.batchRows = laneSettings.batchRows();
        try {
            openLanes(laneSettings, new RetryPolicy(retrySettings));
            letters.whenConfirmed(() -> lanes.forEach(Lane::wake));
            letters.whenHeld(this::lettersHold);
            this.assigner = new LaneAssigner(laneSettings, lanes);
            this.verification = new Verification(target, lanes, clock);
            askToBeCalledAgain(); // the first poll is the one that opens partitions
        } catch (RuntimeException | Error e) {
            lanes.forEach(Lane::stop);
            closeLanes();
            memory.close();
            throw e;
        }
    }

    private void openLanes(LaneSettings laneSettings, RetryPolicy policy) {
        for (int number = 0; number < laneSettings.lanes(); number++) {
            BatchWriter writer = target.openWriter(number);
            Delivery delivery = new Delivery(
                    writer,
                    Delivery.Rules.of(target),
                    policy,
                    letters,
                    clock,
                    () -> ThreadLocalRandom.current().nextDouble(),
                    postponed,
                    new LaneMetrics(writer, metrics));
            lanes.add(new Lane(
                    number,
                    laneSettings,
                    target.lastWriteWins(),
                    writer,
                    delivery,
                    clock,
                    LaneThreads.of(settings.name(), number),
                    this::released));
            slices.add(new ArrayList<>());
        }
    }

    /**
     * Takes the records. Those that need what cannot be fetched now wait, together with all that come after them.
     *
     * @throws LaneFailedException when a lane has failed; {@link #unfinished} knows the records nevertheless
     */
    void put(Collection<SinkRecord> records) throws InterruptedException {
        metrics.called();
        metrics.received(records.size());
        memory.holds(backpressure.bytesHeld());
        assignment.delivered(records, backpressure.isPaused());
        Optional<ConnectException> another = admitUntilAnotherLog(records);
        if (another.isEmpty()) { // otherwise a start over would pass the records behind it
            throwIfLaneFailed();
        }
        verification.poll();
        letters.report();
        List<TopicPartition> ready = assignment.takeReady();
        if (!ready.isEmpty()) {
            backpressure.assigned(ready);
        }
        if (isPrepared()) {
            mapAdmitted();
        }
        if (another.isPresent()) {
            throw another.get(); // what was admitted before it is written while the task ends
        }
        letters.report();
        if (unmapped.bytesHeld() == 0) { // otherwise nothing can come
            assignment.waits();
        }
        pauseOrResume();
        askToBeCalledAgain();
    }

    /** Returns why a record shows that the task must fail. Those before it are admitted. */
    private Optional<ConnectException> admitUntilAnotherLog(Collection<SinkRecord> records) {
        try {
            for (SinkRecord record : records) {
                AssignedPartition partition = assignment.of(record);
                if (partition.admits(record)) {
                    unmapped.add(record, partition.progress());
                }
            }
            return Optional.empty();
        } catch (ConnectException e) {
            return Optional.of(e);
        }
    }

    /** While the task is paused, no lane lingers for documents that do not come. */
    private void pauseOrResume() {
        memory.holds(backpressure.bytesHeld());
        boolean wasPaused = backpressure.isPaused();
        backpressure.pauseOrResume(assignment::deliverable, assignment::postponing);
        boolean isPaused = backpressure.isPaused();
        if (isPaused != wasPaused) {
            lanes.forEach(lane -> lane.feed(!isPaused));
        }
        metrics.setPaused(isPaused);
    }

    /** Whether everything is there that the records need. If not, Connect's reading stops until it is. */
    private boolean isPrepared() {
        unmapped.dropRevoked();
        try {
            mapper.prepare(unmapped.records());
            unprepared = Optional.empty();
            return true;
        } catch (RetriableException e) {
            if (unprepared.isEmpty()) {
                log.warn(
                        "Task {}: records wait, and none is read, until they have their schemas: {}",
                        settings.name(),
                        e.getMessage());
            }
            unprepared = Optional.of(e);
            unmapped.keep();
            return false;
        }
    }

    private void mapAdmitted() {
        putBytes = 0;
        try {
            unmapped.map(this::accept);
        } finally {
            pollBytes.brought(putBytes, postponed.bytes() > 0);
            lanes.forEach(this::handOver); // also what was accepted before the mapper failed
        }
    }

    private void accept(SinkRecord record, Progress progress) {
        if (settings.toleratesErrors()
                || letters.isSettled() // the usual answer, and cheap
                || progress.firstRefused().isEmpty()) {
            map(record, progress);
        } // else the task will fail at the refused record, so that this one is delivered again
    }

    private void map(SinkRecord record, Progress progress) {
        try {
            Optional<Document> mapped = mapper.map(record, progress);
            if (mapped.isPresent()) {
                Document document = mapped.get();
                int lane = assigner.laneOf(document);
                progress.accept(lane, document.offset());
                backpressure.hold(document.bytesHeld());
                putBytes += document.bytesHeld();
                slices.get(lane).add(document);
                if (slices.get(lane).size() >= batchRows) {
                    handOver(lanes.get(lane)); // lanes write while the rest of a large poll is converted
                }
            } else {
                metrics.skipped();
            }
        } catch (RefusedException e) {
            letters.add(progress, record, e);
            putBytes += HeapWeight.of(record);
        }
    }

    private void lettersHold(long bytes) {
        if (bytes > 0) {
            backpressure.hold(bytes);
        } else {
            released(-bytes);
        }
    }

    private void released(long bytes) {
        backpressure.release(bytes);
        if (bytes > 0) {
            metrics.done();
        }
    }

    private void handOver(Lane lane) {
        List<Document> slice = slices.get(lane.number());
        if (!slice.isEmpty()) {
            lane.enqueue(slice);
            slice.clear();
        }
    }

    private void throwIfLaneFailed() {
        for (Lane lane : lanes) {
            if (lane.failure().isPresent()) {
                throw new LaneFailedException(lane.failure().get());
            }
        }
    }

    /** Asks Connect to call again soon. Otherwise a poll may last until the next offset commit. */
    private void askToBeCalledAgain() {
        if (unmapped.bytesHeld() > 0) {
            context.timeout(PREPARE_RETRY_MS);
        } else if (backpressure.isPaused() || assignment.isAnyClaiming()) {
            context.timeout(outages().findAny().isPresent() ? OUTAGE_POLL_MS : PAUSED_POLL_MS);
        } else if (backpressure.bytesHeld() > 0 || !letters.isEmpty() || verification.isUnderWay()) {
            context.timeout(BUSY_POLL_MS);
        } else {
            context.timeout(target.keepsOffsets() ? IDLE_OWNER_POLL_MS : IDLE_POLL_MS);
        }
    }

    /**
     * The offsets that may be committed. Waits a bounded time until the held records are written, so that few are
     * delivered again after a rebalance or stop. It never throws, because that would rewind the consumer.
     */
    Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> offered) {
        long deadline = clock.nanoTime() + settings.drainTimeout().toNanos();
        try {
            assignment.drain(deadline);
            letters.reportAndConfirm(Math.max(0, deadline - clock.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The next put throws it again. Until then the refused record limits the commit.
            log.debug("Refused records could not be reported before a commit", e);
        }
        return assignment.committable(offered, deadline);
    }

    /** The task starts over in place of this pipeline. */
    void continues(SinkPipeline before) {
        assignment.continues(before.assignment);
        wroteBefore = before.wroteBefore || before.hasWritten();
        if (wroteBefore) {
            target.continues();
        }
    }

    /** Makes delivery continue from these offsets, whatever was delivered before. */
    void goBackTo(Map<TopicPartition, Long> offsets) {
        assignment.goBackTo(offsets);
    }

    /**
     * By partition, the offset from which records must be delivered again, because they are neither written nor
     * reported as refused.
     */
    Map<TopicPartition, Long> unfinished() {
        return assignment.unfinished();
    }

    TaskSettings settings() {
        return settings;
    }

    /** The partitions that the task has. */
    Set<TopicPartition> partitions() {
        return assignment.partitions();
    }

    void open(Collection<TopicPartition> partitions) {
        assignment.open(partitions);
        if (!target.keepsOffsets()) {
            backpressure.assigned(partitions);
        }
    }

    /** Drops the queued records of these partitions and waits a bounded time for those in flight. */
    void close(Collection<TopicPartition> partitions) throws InterruptedException {
        assignment.close(partitions);
        unmapped.dropRevoked();
        for (Lane lane : lanes) {
            lane.dropRevoked();
        }
        awaitRevoked();
        letters.dropRevoked();
    }

    private void awaitRevoked() throws InterruptedException {
        closedBy = clock.nanoTime() + settings.closeTimeout().toNanos();
        if (isRevokedFinishedBy(closedBy)) {
            return;
        }
        lanes.forEach(Lane::abortRevoked);
        if (!isRevokedFinishedBy(clock.nanoTime() + LaneThreads.ABORT_GRACE.toNanos())) {
            log.warn("A request with records of a revoked partition does not end although it was cancelled; they may be"
                    + " written late");
        }
    }

    /** The deadline is for all lanes together. */
    private boolean isRevokedFinishedBy(long deadline) throws InterruptedException {
        boolean finished = true;
        for (Lane lane : lanes) {
            finished &= lane.awaitRevoked(deadline);
        }
        return finished;
    }

    /** What operators may read of this task, from any thread. */
    List<Metric> metrics() {
        List<Metric> all = new ArrayList<>(metrics.all());
        all.addAll(target.metrics());
        return all;
    }

    /** The task's partitions are paused above this: its own bound, or its share of the worker's memory. */
    private long mostBytesHeld() {
        return Math.min(settings.bufferBytes(), memory.besides(pollBytes.most()));
    }

    /** Shows numbers of the destinations that have waited for long. */
    void showDestinations(PostponedDestinations.Display display) {
        postponed.showTo(display);
    }

    /** How the last attempts of lanes failed that found the server unable to write. */
    Stream<WriteException> outages() {
        return lanes.stream().flatMap(lane -> lane.unavailable().stream());
    }

    /** Why records wait that were delivered; empty if none does. */
    Optional<RetriableException> unprepared() {
        return unprepared;
    }

    /** Why access is refused now: by the server, or by one from which records need something. */
    Optional<Exception> refusal(Predicate<WriteException> isAccessRefused) {
        return Stream.<Exception>concat(
                        outages().filter(isAccessRefused),
                        unprepared.filter(AccessRefusedException.class::isInstance).stream())
                .findFirst();
    }

    /** Whether the server has accepted a record of this pipeline. */
    boolean hasWritten() {
        return metrics.hasWritten();
    }

    /** Bytes of records that cannot be mapped now, are queued or are on their way to the server or the dead letter topic. */
    long bytesHeld() {
        return backpressure.bytesHeld();
    }

    /** Stops the lanes and closes the target, whatever their state. */
    void stop() {
        LaneThreads.stop(lanes, stopTimeout(), clock);
        postponed.close();
        try {
            closeLanes();
        } finally {
            memory.close();
            target.close();
        }
    }

    /** Connect closes all partitions before it stops a task, and both together may take close.timeout.ms. */
    private Duration stopTimeout() {
        return partitions().isEmpty()
                ? Duration.ofNanos(Math.max(0, closedBy - clock.nanoTime()))
                : settings.closeTimeout();
    }

    private void closeLanes() {
        for (Lane lane : lanes) {
            try {
                lane.close();
            } catch (RuntimeException e) {
                log.warn("Lane {} of {} did not close cleanly", lane.number(), target.description(), e);
            }
        }
    }
}
