package io.tidegate.connect.quickstart;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Marks which produced records were found in a store, with one bit for each record. */
final class Coordinates {
    private final Produced produced;
    private final Map<Integer, BitSet> seen = new HashMap<>();
    private long surplus;

    Coordinates(Produced produced) {
        this.produced = produced;
    }

    /** Marks a record by its id {@code topic+partition+offset}, the Elasticsearch sink's form of document ids. */
    void found(String id) {
        String[] parts = id.split("\\+", -1);
        try {
            int last = parts.length - 1;
            found(Integer.parseInt(parts[Math.max(0, last - 1)]), Long.parseLong(parts[last]));
        } catch (NumberFormatException e) {
            surplus++;
        }
    }

    void found(int partition, long offset) {
        if (!produced.holds(partition, offset)) {
            surplus++;
            return;
        }
        BitSet bits = seen.computeIfAbsent(partition, p -> new BitSet());
        if (bits.get((int) offset)) {
            surplus++;
        }
        bits.set((int) offset);
    }

    /** The number of ids that were found more than once or that no produced record has. */
    long surplus() {
        return surplus;
    }
}
