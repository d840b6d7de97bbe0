package io.tidegate.docker;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.docker.Store.StoreException;
import java.util.BitSet;

/**
 * The result of comparing a store's readings with those that were sent.
 *
 * @param lost readings that were sent but are not stored
 * @param doubled readings that are stored more than once
 * @param foreign documents that differ from what was sent
 */
record Comparison(long lost, long doubled, long foreign) {
    /** Compares the readings after the first number, up to and including the last. */
    public static Comparison of(Store store, long after, long last) throws StoreException {
        Seen seen = new Seen(after, last);
        store.readAfter(after, seen::add);
        return new Comparison(last - after - seen.numbers.cardinality(), seen.doubled, seen.foreign);
    }

    /** Whether each reading is stored once and unchanged. */
    boolean isExact() {
        return lost == 0 && doubled == 0 && foreign == 0;
    }

    private static final class Seen {
        private final long after;
        private final long last;
        private final BitSet numbers = new BitSet();
        private long doubled;
        private long foreign;

        Seen(long after, long last) {
            this.after = after;
            this.last = last;
        }

        void add(JsonNode document) {
            long number = document.path("n").asLong();
            if (number <= after || number > last || !isReading(document, number)) {
                foreign++;
            } else if (numbers.get((int) (number - after - 1))) {
                doubled++;
            } else {
                numbers.set((int) (number - after - 1));
            }
        }

        /** Compares as numbers, because a store may change a number's form. */
        private static boolean isReading(JsonNode document, long number) {
            JsonNode expected = Readings.reading(number);
            return document.size() == expected.size()
                    && document.path("station").equals(expected.path("station"))
                    && document.path("level").asDouble()
                            == expected.path("level").asDouble();
        }
    }
}
