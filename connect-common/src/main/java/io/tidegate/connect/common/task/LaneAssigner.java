package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.lane.Lane;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the lane for a document. Documents that must stay in order go to the same lane while their partition is
 * assigned. Task thread only.
 */
final class LaneAssigner {
    private final Ordering ordering;
    private final int batchRows;
    private final List<Lane> lanes;
    private int current;
    private int givenToCurrent;

    LaneAssigner(LaneSettings settings, List<Lane> lanes) {
        this.ordering = settings.ordering();
        this.batchRows = settings.batchRows();
        this.lanes = List.copyOf(lanes);
    }

    /** The number of the lane for this document. */
    int laneOf(Document document) {
        return switch (ordering) {
            case PARTITION -> document.progress().lane();
            case KEY ->
                document.hasKey() ? laneOfKey(document) : document.progress().lane();
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
