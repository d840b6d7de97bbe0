package io.tidegate.connect.common.recovery;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a task has. It is told of each call of Connect, asks Connect to go back, and takes the lanes' answers
 * about the offsets that the server keeps. Task thread only.
 */
public final class Assignment {
    private static final Logger log = LoggerFactory.getLogger(Assignment.class);

    private final SinkTaskContext context;
    private final Rules rules;
    private final List<Lane> lanes;
    private final Clock clock;
    private final Redeliveries redeliveries;
    private final Map<TopicPartition, AssignedPartition> assigned = new HashMap<>();
    private Optional<AssignedPartition> latest = Optional.empty();
    private long idleSince; // as nanoTime: since then no put had records, and none could not have had any
    private final Set<TopicPartition> ready = new HashSet<>(); // they wait no longer, but are not resumed yet
    private int ahead; // partitions that go on ahead of Kafka's group, and were not logged yet
    private long farthest; // of them, in offsets
    private String farthestOfAhead = "";

    /**
     * How a task goes on.
     *
     * @param connector its name, for the call that accepts another log
     * @param keepsOffsets whether the server keeps offsets
     * @param failsOnMissing whether the task fails when Kafka no longer has records that the server lost
     */
    public record Rules(String connector, boolean keepsOffsets, boolean failsOnMissing) {
        public Rules {
            requireNonNull(connector, "connector");
        }
    }

    /** Starts without partitions. */
    public Assignment(SinkTaskContext context, Rules rules, List<Lane> lanes, Clock clock, Redeliveries redeliveries) {
        this.context = requireNonNull(context, "context");
        this.rules = requireNonNull(rules, "rules");
        this.lanes = requireNonNull(lanes, "lanes");
        this.clock = requireNonNull(clock, "clock");
        this.redeliveries = requireNonNull(redeliveries, "redeliveries");
    }

    // ---- for the partitions ----

    String connector() {
        return rules.connector();
    }

    boolean failsOnMissing() {
        return rules.failsOnMissing();
    }

    Redeliveries redeliveries() {
        return redeliveries;
    }

    /** The server's offset of a partition is above that of Kafka's group. */
    void goesOnAhead(TopicPartition partition, long group, long server) {
        ahead++;
        if (server - group > farthest) {
            farthest = server - group;
            farthestOfAhead = partition + " at " + server + " instead of " + group;
        }
    }

    private void sayIfAhead() {
        if (ahead > 0) {
            log.info(
                    "{} partitions go on where the server's offsets say, ahead of Kafka's group, because the records"
                            + " between count as written; the farthest is {}",
                    ahead,
                    farthestOfAhead);
            ahead = 0;
            farthest = 0;
        }
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    void pause(TopicPartition partition) {
        context.pause(partition);
    }

    /** Asks Connect to go back before it delivers what it reads next. It may ask for a commit before that. */
    void ask(TopicPartition partition, long offset) {
        context.offset(Map.of(partition, offset));
    }

    Progress newProgress(TopicPartition partition, int lane) {
        latest = Optional.empty();
        return new Progress(partition, lane, lanes.size());
    }

    // ---- Connect's calls ----

    /** Connect assigns partitions. Those whose offset the server keeps wait for its answer. */
    public void open(Collection<TopicPartition> partitions) {
        int[] ofLanes = new int[lanes.size()];
        assigned.values().forEach(each -> ofLanes[each.progress().lane()]++);
        for (TopicPartition partition : partitions) {
            int lane = indexOfLeast(ofLanes);
            ofLanes[lane]++;
            Progress progress = newProgress(partition, lane);
            AssignedPartition opened = new AssignedPartition(this, progress, rules.keepsOffsets(), clock.nanoTime());
            assigned.put(partition, opened);
        }
        if (rules.keepsOffsets()) {
            partitions.forEach(this::pause);
            askServer();
            context.requestCommit(); // to learn where Kafka's group is, before anything is delivered
        }
    }

    /**
     * Connect asks the consumer for the positions of new partitions before it opens them. A pause or stop of the connector
     * wakes that call up, and then Connect delivers records without having called {@code open}
     * ({@code WorkerSinkTask.HandleRebalance.onPartitionsAssigned} of Kafka 4). It also commits no offset of such a
     * partition, until it has gone back in it ({@code WorkerSinkTask.rewind}): so it is asked to, to where it is.
     *
     * @param first the offset of the first record that it delivers
     */
    private AssignedPartition openLate(TopicPartition partition, long first) {
        log.warn("Connect delivers records of {}, which it has assigned but not opened; it is opened now", partition);
        open(List.of(partition));
        AssignedPartition opened = assigned.get(partition);
        opened.openedLate();
        if (!rules.keepsOffsets()) {
            ready.add(partition); // which pauses it if the others are
        }
        opened.goBackTo(first);
        return opened;
    }

    private static int indexOfLeast(int[] numbers) {
        int least = 0;
        for (int each = 1; each < numbers.length; each++) {
            least = numbers[each] < numbers[least] ? each : least;
        }
        return least;
    }

    /** Connect takes these partitions away. */
    public void close(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            Optional.ofNullable(assigned.remove(partition)).ifPresent(AssignedPartition::revoke);
        }
        latest = Optional.empty();
    }

    /** What Connect has delivered is accepted. Partitions whose records do not come may go on elsewhere. */
    public void waits() {
        if (rules.keepsOffsets()) {
            long now = clock.nanoTime();
            assigned.values().forEach(each -> each.waits(idleSince, now));
        }
    }

    /**
     * Connect delivers records.
     *
     * @param isPaused whether all partitions are paused, so that there can be none
     */
    public void delivered(Collection<SinkRecord> records, boolean isPaused) {
        assigned.values().forEach(AssignedPartition::delivered);
        if (!rules.keepsOffsets()) {
            return;
        }
        long now = clock.nanoTime();
        if (isPaused || !records.isEmpty()) {
            idleSince = now; // Kafka's client may still have to read others
        }
        takeClaimed();
        sayIfAhead();
        takeStored();
        boolean isAnyGivenUp = false;
        for (AssignedPartition each : assigned.values()) {
            isAnyGivenUp |= each.progress().isRevoked();
            each.restartIfGivenUp(now);
        }
        if (isAnyGivenUp) {
            lanes.forEach(Lane::dropRevoked);
        }
        askServer();
    }

    /** The partitions that no longer wait for the server since the last put: Connect may deliver them. */
    public List<TopicPartition> takeReady() {
        List<TopicPartition> taken = ready.stream()
                .filter(each -> !assigned.get(each).isClaiming()) // once more: it is given up, or was set back
                .toList();
        ready.clear();
        return taken;
    }

    private void askServer() {
        long now = clock.nanoTime();
        Map<Lane, List<Progress>> claims = new HashMap<>();
        for (AssignedPartition each : assigned.values()) {
            if (each.takeClaim(now)) {
                claims.computeIfAbsent(laneOf(each), lane -> new ArrayList<>()).add(each.progress());
            }
        }
        claims.forEach((lane, partitions) -> lane.offsets().claim(partitions));
    }

    private Lane laneOf(AssignedPartition partition) {
        return lanes.get(partition.progress().lane());
    }

    /** Only while Connect delivers: to go back is asked of it before it can take a partition away. */
    private void takeClaimed() {
        for (Lane lane : lanes) {
            lane.offsets().takeClaimed().forEach((progress, point) -> of(progress)
                    .ifPresent(each -> {
                        each.claimed(point);
                        ready.add(each.partition());
                    }));
        }
    }

    private void takeStored() {
        for (Lane lane : lanes) {
            lane.offsets().takeStored().forEach((progress, next) -> of(progress).ifPresent(each -> each.stored(next)));
        }
    }

    /** The partition whose present progress this is; an answer about another one comes too late. */
    private Optional<AssignedPartition> of(Progress progress) {
        return Optional.ofNullable(assigned.get(progress.partition())).filter(each -> each.progress() == progress);
    }

    /**
     * Records of a partition come one after the other, so the partition is looked up once for all of them.
     *
     * @throws ConnectException if Connect has not assigned the partition
     */
    public AssignedPartition of(SinkRecord record) {
        int number = record.originalKafkaPartition();
        if (latest.isEmpty() || !latest.get().progress().isOf(record.originalTopic(), number)) {
            TopicPartition partition = new TopicPartition(record.originalTopic(), number);
            latest = Optional.ofNullable(assigned.get(partition));
            if (latest.isEmpty() && context.assignment().contains(partition)) {
                latest = Optional.of(openLate(partition, record.originalKafkaOffset()));
            }
        }
        if (latest.isEmpty()) {
            throw new ConnectException("a record of " + record.originalTopic() + "-" + number
                    + " was delivered, which is not assigned to this task");
        }
        return latest.get();
    }

    public Set<TopicPartition> partitions() {
        return assigned.keySet();
    }

    /** The partitions that do not wait for the server to say where they go on. */
    public Set<TopicPartition> deliverable() {
        return assigned.values().stream()
                .filter(each -> !each.isClaiming())
                .map(AssignedPartition::partition)
                .collect(toSet());
    }

    /** Those of {@link #deliverable} that have postponed documents. */
    public Set<TopicPartition> postponing() {
        return assigned.values().stream()
                .filter(each -> !each.isClaiming() && each.progresses().stream().anyMatch(Progress::isPostponing))
                .map(AssignedPartition::partition)
                .collect(toSet());
    }

    /** Whether a partition waits for the server to say where it goes on. */
    public boolean isAnyClaiming() {
        return assigned.values().stream().anyMatch(AssignedPartition::isClaiming);
    }

    /**
     * Makes delivery go on from these offsets, whatever was delivered before. Kafka was read before: what Connect offers of
     * the other partitions is not where the group stands either.
     */
    public void goBackTo(Map<TopicPartition, Long> offsets) {
        assigned.values().forEach(AssignedPartition::openedLate);
        offsets.forEach((partition, offset) ->
                Optional.ofNullable(assigned.get(partition)).ifPresent(each -> each.goBackTo(offset)));
    }

    /** The task starts over: what the assignment before knew of partitions is still so. */
    public void continues(Assignment before) {
        assigned.forEach((partition, each) ->
                Optional.ofNullable(before.assigned.get(partition)).ifPresent(each::continues));
    }

    /**
     * By partition, the offset from which records must be delivered again, because they are neither written nor reported
     * as refused. Partitions without such an offset are left out.
     */
    public Map<TopicPartition, Long> unfinished() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        assigned.forEach((partition, each) ->
                each.resume(firstUnfinished(each)).ifPresent(offset -> offsets.put(partition, offset)));
        return offsets;
    }

    private OptionalLong firstUnfinished(AssignedPartition partition) {
        partition.forgetEarlier(progress -> firstUnfinished(progress).isEmpty());
        return partition.progresses().stream()
                .flatMapToLong(progress -> firstUnfinished(progress).stream())
                .min();
    }

    private OptionalLong firstUnfinished(Progress progress) {
        // The order matters: a lane records a refusal before it acknowledges the offset.
        OptionalLong pending = progress.firstPending();
        OptionalLong refused = progress.firstRefused();
        if (pending.isEmpty() || refused.isEmpty()) {
            return pending.isEmpty() ? refused : pending;
        }
        return OptionalLong.of(Math.min(pending.getAsLong(), refused.getAsLong()));
    }

    /**
     * The part of the offered offsets that may be committed: nothing above a record that is neither written nor reported,
     * and nothing above what the server's own offsets say.
     *
     * @param deadline for the server's answer, as {@link Clock#nanoTime()}
     */
    public Map<TopicPartition, OffsetAndMetadata> committable(
            Map<TopicPartition, OffsetAndMetadata> offered, long deadline) {
        Map<TopicPartition, Long> done = new HashMap<>();
        offered.forEach((partition, offset) -> Optional.ofNullable(assigned.get(partition))
                .ifPresent(each -> {
                    each.offered(offset.offset());
                    each.done(offset.offset(), firstUnfinished(each)).ifPresent(next -> done.put(partition, next));
                }));
        if (rules.keepsOffsets()) {
            sayIfAhead();
            store(done, deadline);
            done.replaceAll(
                    (partition, next) -> assigned.get(partition).told(next).orElse(Long.MIN_VALUE));
            done.values().removeIf(next -> next == Long.MIN_VALUE);
            if (assigned.values().stream().anyMatch(AssignedPartition::isCatchingUp)) {
                return Map.of();
            }
        }
        Map<TopicPartition, OffsetAndMetadata> committable = new HashMap<>();
        done.forEach((partition, next) -> {
            OffsetAndMetadata whole = offered.get(partition);
            committable.put(partition, next < whole.offset() ? new OffsetAndMetadata(next) : whole);
        });
        return committable;
    }

    /** Kafka is told only offsets that the server has, so that the server's are never behind. */
    private void store(Map<TopicPartition, Long> done, long deadline) {
        Map<Lane, Map<Progress, Long>> ofLanes = new HashMap<>();
        done.forEach((partition, next) -> {
            AssignedPartition each = assigned.get(partition);
            ofLanes.computeIfAbsent(laneOf(each), lane -> new HashMap<>()).put(each.progress(), next);
        });
        ofLanes.forEach((lane, nextOffsets) -> lane.offsets().store(nextOffsets));
        try {
            drain(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        takeStored();
    }

    /** Waits until the lanes have written everything and answered, or cannot. */
    public void drain(long deadline) throws InterruptedException {
        lanes.forEach(Lane::hurry); // none lingers while this waits for another
        try {
            for (Lane lane : lanes) {
                lane.drain(deadline);
            }
        } finally {
            lanes.forEach(Lane::linger);
        }
    }
}
