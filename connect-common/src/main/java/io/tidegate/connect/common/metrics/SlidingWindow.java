package io.tidegate.connect.common.metrics;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.IntCountsHistogram;

/**
 * How values of the last half to whole minute are spread, to about one per cent, in at most 60 KB. Any thread records,
 * once per batch; any thread reads.
 */
public final class SlidingWindow {
    /** Values are forgotten once they are older than one to two of these. */
    static final Duration SLICE = Duration.ofSeconds(30);

    private final LongSupplier nanoTime;
    private Slice current = new Slice(); // guarded by this
    private Slice before = new Slice(); // guarded by this
    private long currentSince; // guarded by this

    /** Without values yet; the time as {@link System#nanoTime()}. */
    public SlidingWindow(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.currentSince = nanoTime.getAsLong();
    }

    /** A negative value counts as 0: clocks of different machines differ. */
    public synchronized void record(long value) {
        turn();
        current.record(Math.max(0, value));
    }

    private void turn() {
        long slices = (nanoTime.getAsLong() - currentSince) / SLICE.toNanos();
        if (slices == 0) {
            return;
        }
        Slice oldest = before;
        before = current;
        current = oldest;
        current.clear();
        if (slices > 1) {
            before.clear();
        }
        currentSince += slices * SLICE.toNanos();
    }

    private synchronized double read(ToDoubleFunction<Slice> statistic) {
        turn();
        Slice both = new Slice();
        both.add(before);
        both.add(current);
        return both.isEmpty() ? Double.NaN : statistic.applyAsDouble(both);
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
                metric(name + "-avg", unit, perUnit, description + ": average.", Slice::average),
                metric(name + "-p50", unit, perUnit, description + ": median.", slice -> slice.percentile(50)),
                metric(name + "-p99", unit, perUnit, description + ": 99th percentile.", slice -> slice.percentile(99)),
                metric(name + "-max", unit, perUnit, description + ": maximum.", Slice::maximum));
    }

    private Metric metric(String name, String unit, double perUnit, String description, ToDoubleFunction<Slice> of) {
        return new Metric(name, unit, description, () -> read(of) / perUnit);
    }

    /** Values of one stretch of time. A histogram knows values by their neighbourhood only, so the maximum stands apart. */
    private static final class Slice {
        private static final int SIGNIFICANT_DIGITS = 2;

        private final IntCountsHistogram values = new IntCountsHistogram(SIGNIFICANT_DIGITS);
        private long maximum;

        void record(long value) {
            values.recordValue(value);
            maximum = Math.max(maximum, value);
        }

        void add(Slice other) {
            values.add(other.values);
            maximum = Math.max(maximum, other.maximum);
        }

        void clear() {
            values.reset();
            maximum = 0;
        }

        boolean isEmpty() {
            return values.getTotalCount() == 0;
        }

        double average() {
            return Math.min(values.getMean(), (double) maximum);
        }

        double percentile(double percent) {
            return (double) Math.min(values.getValueAtPercentile(percent), maximum);
        }

        double maximum() {
            return (double) maximum;
        }
    }
}
