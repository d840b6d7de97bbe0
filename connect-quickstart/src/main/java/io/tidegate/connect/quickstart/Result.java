package io.tidegate.connect.quickstart;

import io.tidegate.connect.quickstart.view.Sink;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The result of one sink.
 *
 * @param stored the number of records that a query finds
 * @param duplicates stored records whose coordinates are stored more than once or were never produced
 * @param elapsed from the first record produced to the last record stored
 * @param steadyRate see {@link SteadyRate}; absent if there were too few samples
 */
record Result(Sink sink, long produced, long stored, long duplicates, Duration elapsed, OptionalLong steadyRate) {
    boolean isExact() {
        return stored == produced && duplicates == 0;
    }

    /** The result in words. */
    String verdict() {
        String all = String.format(Locale.ROOT, "%s: %,d of %,d records", sink.server(), stored, produced);
        if (isExact()) {
            return all + ", each once";
        }
        return all + (duplicates == 0 ? "" : String.format(Locale.ROOT, ", %,d too many", duplicates));
    }

    String line() {
        double seconds = elapsed.toNanos() / 1e9;
        return String.format(
                Locale.ROOT,
                "RESULT %s produced=%d stored=%d duplicates=%d seconds=%.1f rate=%d",
                sink.label(),
                produced,
                stored,
                duplicates,
                seconds,
                seconds > 0 ? Math.round(stored / seconds) : 0);
    }
}
