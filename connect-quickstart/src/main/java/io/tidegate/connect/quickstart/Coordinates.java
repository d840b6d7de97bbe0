package io.tidegate.connect.quickstart;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Ticks off produced records as they are found in a store; one bit each. */
final class Coordinates {
    private final Produced produced;
    private final Map<Integer, BitSet> seen = new HashMap<>();
    private long surplus;

    Coordinates(Produced produced) {
        this.produced = produced;
    }

    /** Of the form {@code topic+partition+offset}, as the Elasticsearch sink makes ids. */
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

    /** How many were found again, or were never produced. */
    long surplus() {
        return surplus;
    }
}
