package io.tidegate.connect.common.lane;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The task thread's requests to a lane whose server keeps offsets, and the lane's answers: to claim partitions, to raise
 * next offsets, and to verify them. The task thread requests and takes answers; the lane's thread serves.
 */
public final class OffsetRequests {
    private final LaneMonitor monitor;
    private final Set<Progress> claims = new LinkedHashSet<>(); // all fields are guarded by monitor
    private final Map<Progress, Long> stores = new HashMap<>();
    private final Map<Progress, Optional<StartingPoint>> claimed = new HashMap<>();
    private final Map<Progress, Long> stored = new HashMap<>();
    private Verification verification = Verification.ANSWERED;
    private boolean isServing;

    /** The state of a question to the server whether it still has what was written. */
    public enum Verification {
        REQUESTED,
        ANSWERED,
        FAILED
    }

    OffsetRequests(LaneMonitor monitor) {
        this.monitor = requireNonNull(monitor, "monitor");
    }

    private void change(Runnable work) {
        synchronized (monitor) {
            work.run();
            monitor.changed();
        }
    }

    private <T> T locked(Supplier<T> work) {
        synchronized (monitor) {
            return work.get();
        }
    }

    /** Asks from where partitions go on. They are claimed together, however many they are. */
    public void claim(Collection<Progress> partitions) {
        change(() -> claims.addAll(partitions));
    }

    /** Asks to store these next offsets. {@link Lane#drain} waits until they are. */
    public void store(Map<Progress, Long> nextOffsets) {
        change(() -> nextOffsets.forEach((partition, next) -> stores.merge(partition, next, Math::max)));
    }

    /** Asks whether the server still has what was written. */
    public void verify() {
        change(() -> verification = Verification.REQUESTED);
    }

    /** The answers to claims since the last call; empty for a partition that the server does not know. */
    public Map<Progress, Optional<StartingPoint>> takeClaimed() {
        return locked(() -> taken(claimed));
    }

    /** The next offsets that the server has, of the stores that it has answered since the last call. */
    public Map<Progress, Long> takeStored() {
        return locked(() -> taken(stored));
    }

    private static <K, V> Map<K, V> taken(Map<K, V> all) {
        if (all.isEmpty()) {
            return Map.of();
        }
        Map<K, V> taken = new HashMap<>(all);
        all.clear();
        return taken;
    }

    /** The state of the latest {@link #verify}. */
    public Verification verification() {
        return locked(() -> verification);
    }

    /** Under the monitor. */
    boolean areWaiting() {
        return verification == Verification.REQUESTED || !claims.isEmpty() || !stores.isEmpty();
    }

    /** Under the monitor: whether a commit has to wait for some of them. None waits for a verification. */
    boolean arePending() {
        return isServing || !claims.isEmpty() || !stores.isEmpty();
    }

    /**
     * Serves what is requested. Claims come first, because they decide which documents are written.
     *
     * @return false when the lane was told to stop before that
     */
    boolean serve(Delivery delivery, Delivery.Gate gate) throws InterruptedException {
        List<Progress> toClaim = locked(() -> {
            List<Progress> all = List.copyOf(claims);
            claims.clear();
            isServing = true;
            return all;
        });
        try {
            if (!toClaim.isEmpty() && !claim(toClaim, delivery, gate)) {
                return false;
            }
            Map<Progress, Long> toStore = locked(() -> taken(stores));
            if (!toStore.isEmpty()) {
                Map<Progress, Long> answer = delivery.store(toStore, gate);
                change(() -> stored.putAll(answer));
            }
        } finally {
            change(() -> isServing = false);
        }
        if (verification() == Verification.REQUESTED) {
            Verification answer = delivery.verify() ? Verification.ANSWERED : Verification.FAILED;
            change(() -> verification = answer);
        }
        return true;
    }

    private boolean claim(List<Progress> partitions, Delivery delivery, Delivery.Gate gate)
            throws InterruptedException {
        Optional<Map<Progress, Optional<StartingPoint>>> answer = delivery.claim(partitions, gate);
        answer.ifPresent(points -> change(() -> claimed.putAll(points)));
        return answer.isPresent();
    }
}
