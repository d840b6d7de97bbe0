package io.tidegate.connect.quickstart;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Computes the records per second between 20 % and 90 % of the records, as the benchmarks do: before, the connector
 * starts, and after, some tasks have no more records.
 */
final class SteadyRate {
    static final double FROM = 0.2;
    static final double TO = 0.9;

    /** With fewer samples in between, the times are too inaccurate. */
    private static final int FEWEST_SAMPLES = 5;

    private final long total;
    private double lastSeconds;
    private long lastStored;
    private int samples;
    private OptionalDouble fromSeconds = OptionalDouble.empty();
    private OptionalDouble toSeconds = OptionalDouble.empty();

    /** @param total the number of records of the whole run */
    SteadyRate(long total) {
        this.total = total;
    }

    /** Neither the time nor the number of stored records may decrease. */
    void sample(Duration elapsed, long stored) {
        double seconds = elapsed.toNanos() / 1e9;
        if (fromSeconds.isPresent() && toSeconds.isEmpty()) {
            samples++;
        }
        fromSeconds = fromSeconds.isPresent() ? fromSeconds : reached(FROM * total, seconds, stored);
        toSeconds = toSeconds.isPresent() ? toSeconds : reached(TO * total, seconds, stored);
        lastSeconds = seconds;
        lastStored = stored;
    }

    private OptionalDouble reached(double records, double seconds, long stored) {
        return stored < records
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        lastSeconds + (seconds - lastSeconds) * (records - lastStored) / (stored - lastStored));
    }

    /** Empty until 90 % are stored, and if there were too few samples. */
    OptionalLong rate() {
        return toSeconds.isEmpty() || samples < FEWEST_SAMPLES
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Math.round((TO - FROM) * total / (toSeconds.getAsDouble() - fromSeconds.getAsDouble())));
    }
}
