package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the lane for a document. Documents that must stay in order go to the same lane while their partition is
 * assigned. Task thread only.
 */
final class LaneAssigner {
    private final Ordering ordering;
    private final int batchRows;
    private final List<Lane> lanes;
    private final Map<Progress, Integer> pinned = new HashMap<>();
    private int current;
    private int givenToCurrent;

    LaneAssigner(LaneSettings settings, List<Lane> lanes) {
        this.ordering = settings.ordering();
        this.batchRows = settings.batchRows();
        this.lanes = List.copyOf(lanes);
    }

    /** Pins a newly assigned partition to the lane that has the fewest partitions. */
    void assigned(Progress progress) {
        int[] partitions = new int[lanes.size()];
        pinned.values().forEach(lane -> partitions[lane]++);
        int fewest = Arrays.stream(partitions).min().orElseThrow();
        int lane = 0;
        while (partitions[lane] != fewest) {
            lane++;
        }
        pinned.put(progress, lane);
    }

    /** Keeps a partition on its lane when its progress starts again. */
    void replaced(Progress old, Progress next) {
        pinned.put(next, pinned.remove(old));
    }

    /** The number of the lane that a partition is pinned to. */
    int laneOf(Progress progress) {
        return pinned.get(progress);
    }

    void revoked(Collection<Progress> revoked) {
        pinned.keySet().removeAll(revoked);
    }

    /** The number of the lane for this document. */
    int laneOf(Document document) {
        return switch (ordering) {
            case PARTITION -> pinned.get(document.progress());
            case KEY -> document.hasKey() ? laneOfKey(document) : pinned.get(document.progress());
            case NONE -> anyLane();
        };
    }

    private int laneOfKey(Document document) {
        int hash = 31 * document.destination().hashCode() + Arrays.hashCode(document.key());
        return Math.floorMod(hash ^ (hash >>> 16), lanes.size());
    }

    /** Keeps the same lane for as many documents as a batch has, then takes the least busy one. */
    private int anyLane() {
        if (givenToCurrent >= batchRows) {
            givenToCurrent = 0;
            current = leastBusy();
        }
        givenToCurrent++;
        return current;
    }

    /** Among equally busy lanes, takes the next one in turn. */
    private int leastBusy() {
        int best = current;
        int least = Integer.MAX_VALUE;
        for (int step = 1; step <= lanes.size(); step++) {
            int lane = (current + step) % lanes.size();
            int backlog = lanes.get(lane).backlog();
            if (backlog < least) {
                least = backlog;
                best = lane;
            }
        }
        return best;
    }
}
