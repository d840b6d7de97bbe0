package io.tidegate.connect.common.metrics;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;

/**
 * How values of the last half to whole minute are spread, to about one per cent, in at most 60 KB. Any thread records,
 * once per batch; any thread reads.
 */
public final class RecentValues {
    /** Values are forgotten once they are older than one to two of these. */
    static final Duration SLICE = Duration.ofSeconds(30);

    private static final int SIGNIFICANT_DIGITS = 2;

    private final LongSupplier nanoTime;
    private AbstractHistogram current = new IntCountsHistogram(SIGNIFICANT_DIGITS); // guarded by this
    private AbstractHistogram before = new IntCountsHistogram(SIGNIFICANT_DIGITS); // guarded by this
    private long currentSince; // guarded by this

    /** Without values yet; the time as {@link System#nanoTime()}. */
    public RecentValues(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.currentSince = nanoTime.getAsLong();
    }

    /** A negative value counts as 0: clocks of different machines differ. */
    public synchronized void record(long value) {
        turn();
        current.recordValue(Math.max(0, value));
    }

    private void turn() {
        long slices = (nanoTime.getAsLong() - currentSince) / SLICE.toNanos();
        if (slices == 0) {
            return;
        }
        AbstractHistogram oldest = before;
        before = current;
        current = oldest;
        current.reset();
        if (slices > 1) {
            before.reset();
        }
        currentSince += slices * SLICE.toNanos();
    }

    private synchronized double read(ToDoubleFunction<AbstractHistogram> statistic) {
        turn();
        IntCountsHistogram all = new IntCountsHistogram(SIGNIFICANT_DIGITS);
        all.add(before);
        all.add(current);
        return all.getTotalCount() == 0 ? Double.NaN : statistic.applyAsDouble(all);
    }

    /**
     * Average, median, 99th percentile and maximum as metrics.
     *
     * @param perUnit recorded values per unit of the metrics: 1,000,000 when nanoseconds are recorded and shown as
     *     milliseconds
     * @param description of one value, to be continued with which of them is shown
     */
    public List<Metric> metrics(String name, String unit, double perUnit, String description) {
        return List.of(
                metric(name + "-avg", unit, perUnit, description + ": average.", AbstractHistogram::getMean),
                metric(name + "-p50", unit, perUnit, description + ": median.", all -> all.getValueAtPercentile(50)),
                metric(
                        name + "-p99",
                        unit,
                        perUnit,
                        description + ": 99th percentile.",
                        all -> all.getValueAtPercentile(99)),
                metric(name + "-max", unit, perUnit, description + ": maximum.", AbstractHistogram::getMaxValue));
    }

    private Metric metric(
            String name, String unit, double perUnit, String description, ToDoubleFunction<AbstractHistogram> of) {
        return new Metric(name, unit, description, () -> read(of) / perUnit);
    }
}
