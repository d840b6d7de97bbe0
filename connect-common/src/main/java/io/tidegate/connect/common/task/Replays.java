package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.ServerSight;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the latest records again after the server has changed, because the new one may lack them. For that it
 * remembers for a while how far each partition was written. Task thread only.
 */
final class Replays {
    private static final Logger log = LoggerFactory.getLogger(Replays.class);

    /** How many samples of a partition fall into the time that is delivered again. */
    private static final int SAMPLES = 16;

    private final Target target;
    private final Assignment assignment;
    private final Restarts restarts;
    private final Clock clock;
    private final Duration window;
    private final Map<TopicPartition, WrittenHistory> histories = new HashMap<>();
    private final Map<TopicPartition, Long> replayedUntil = new HashMap<>();
    private long seenChanges;
    private long sampledAt; // as the clock's nanoTime

    Replays(Target target, Assignment assignment, Restarts restarts, Clock clock) {
        this.target = requireNonNull(target, "target");
        this.assignment = requireNonNull(assignment, "assignment");
        this.restarts = requireNonNull(restarts, "restarts");
        this.clock = requireNonNull(clock, "clock");
        this.window = target.replay();
        this.seenChanges = target.serverSight().changes();
        this.sampledAt = clock.nanoTime() - window.toNanos();
    }

    /** Call it with every {@code put}, before its records are accepted. */
    void poll() {
        histories.keySet().retainAll(assignment.partitions());
        replayedUntil.keySet().retainAll(assignment.partitions());
        ServerSight sight = target.serverSight();
        if (sight.changes() == seenChanges) {
            sample(sight);
        } else {
            // Of a change that was missed, nothing is known but that it came before this one.
            boolean isOne = sight.changes() == seenChanges + 1;
            seenChanges = sight.changes();
            goBack(isOne ? OptionalLong.of(sight.formerUntil() - window.toNanos()) : OptionalLong.empty());
        }
    }

    private void sample(ServerSight sight) {
        long now = clock.nanoTime();
        if (now - sampledAt < window.toNanos() / SAMPLES) {
            return;
        }
        sampledAt = now;
        for (Progress progress : assignment.progresses()) {
            assignment.written(progress).ifPresent(next -> {
                WrittenHistory history = histories.computeIfAbsent(
                        progress.partition(), first -> new WrittenHistory(progress.firstAccepted(), now));
                history.add(next, clock.nanoTime()); // not earlier than the writes below this offset
                history.forgetBefore(sight.presentUntil() - window.toNanos());
            });
        }
    }

    /** Goes back to where the partitions were at that time; if it is empty, as far as is remembered. */
    private void goBack(OptionalLong since) {
        Map<TopicPartition, Long> from = new HashMap<>();
        for (Progress progress : assignment.progresses()) {
            TopicPartition partition = progress.partition();
            assignment.written(progress).ifPresent(next -> {
                WrittenHistory history = histories.getOrDefault(
                        partition, new WrittenHistory(progress.firstAccepted(), clock.nanoTime()));
                long again = since.isPresent() ? history.at(since.getAsLong()) : history.earliest();
                if (again < next) {
                    from.put(partition, again);
                    replayedUntil.merge(partition, next, Math::max);
                }
                histories.put(partition, new WrittenHistory(again, clock.nanoTime()));
            });
        }
        if (!from.isEmpty()) {
            log.warn(
                    "{} has changed: records of the {} ms before that are delivered and written again, from {}",
                    target.description(),
                    window.toMillis(),
                    from);
            restarts.goBackTo(from);
        }
    }

    /** Counts a record that was delivered before. */
    void delivered(Progress progress, long offset) {
        if (replayedUntil.isEmpty()) {
            return;
        }
        Long until = replayedUntil.get(progress.partition());
        if (until != null && offset < until) {
            progress.redeliveries().countDeliveredAgain();
        } else if (until != null) {
            replayedUntil.remove(progress.partition());
        }
    }
}
