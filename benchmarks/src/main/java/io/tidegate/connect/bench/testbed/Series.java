package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Sample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The samples of one run, and the measures that follow from them. The steady part is that of the records from {@value
 * #FROM} to {@value #TO}. Before it the connector starts; after it some tasks have no more records.
 */
public final class Series {
    static final double FROM = 0.2;
    static final double TO = 0.9;
    private static final double MILLION = 1e6;
    private static final double PERCENT = 100;

    private final List<Sample> samples;

    private Series(List<Sample> samples) {
        this.samples = samples;
    }

    /**
     * Makes a series. The {@code stored} of samples may be in any unit: it is scaled so that the last is all records.
     *
     * @param samples at least two; at the last one all records are stored
     */
    public static Series of(List<Sample> samples, long records) {
        long first = samples.get(0).stored();
        long last = samples.get(samples.size() - 1).stored();
        double scale = last == first ? 1 : (double) records / (last - first);
        return new Series(samples.stream()
                .map(sample -> sample.withStored(Math.round((sample.stored() - first) * scale)))
                .toList());
    }

    public List<Sample> samples() {
        return samples;
    }

    /** Calculates rates, costs and maxima. */
    public Map<Measure, Double> measures(long records, long bytes) {
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        double begin = begin();
        double seconds = last().seconds() - begin;
        double from = timeAt(FROM * records);
        double to = timeAt(TO * records);
        double steady = to - from;
        double share = (TO - FROM) * records;
        measures.put(Measure.START_SECONDS, begin);
        measures.put(Measure.SECONDS, seconds);
        measures.put(Measure.RATE, records / seconds);
        measures.put(Measure.STEADY_RATE, share / steady);
        measures.put(Measure.MEGABYTES, share / steady * bytes / records / MILLION);
        measures.put(Measure.WORKER_CPU, perMillion(Sample::workerCpu, from, to, share));
        measures.put(Measure.BROKER_CPU, perMillion(Sample::brokerCpu, from, to, share));
        measures.put(Measure.SERVER_CPU, perMillion(Sample::serverCpu, from, to, share));
        double capacity = steady * CpuTime.count() / PERCENT;
        measures.put(Measure.OTHER_CPU, Math.max(0, difference(Sample::othersCpu, from, to)) / capacity);
        measures.put(Measure.BUSY, difference(Sample::allCpu, from, to) / capacity);
        measures.put(Measure.CONNECTIONS, max(Sample::connections));
        if (max(Sample::heapMb) > 0) {
            measures.put(Measure.HEAP, max(Sample::heapMb));
        }
        return measures;
    }

    /** The average rise of a counter per second between two times. */
    public double rate(ToDoubleFunction<Sample> counter, double from, double to) {
        return difference(counter, from, to) / (to - from);
    }

    /** The time of the last sample at which nothing was stored. */
    private double begin() {
        double begin = samples.get(0).seconds();
        for (Sample sample : samples) {
            if (sample.stored() > 0) {
                return begin;
            }
            begin = sample.seconds();
        }
        return begin;
    }

    private Sample last() {
        return samples.get(samples.size() - 1);
    }

    /** The time at which this number of records was stored, interpolated between two samples. */
    private double timeAt(double stored) {
        List<double[]> curve = new ArrayList<>();
        samples.forEach(sample -> curve.add(new double[] {sample.stored(), sample.seconds()}));
        return interpolated(curve, stored);
    }

    private double difference(ToDoubleFunction<Sample> counter, double from, double to) {
        List<double[]> curve = new ArrayList<>();
        samples.forEach(sample -> curve.add(new double[] {sample.seconds(), counter.applyAsDouble(sample)}));
        return interpolated(curve, to) - interpolated(curve, from);
    }

    private double perMillion(ToDoubleFunction<Sample> counter, double from, double to, double records) {
        return difference(counter, from, to) / records * MILLION;
    }

    private static double interpolated(List<double[]> curve, double x) {
        for (int i = 1; i < curve.size(); i++) {
            double[] left = curve.get(i - 1);
            double[] right = curve.get(i);
            if (right[0] >= x && right[0] > left[0]) {
                double part = Math.max(0, (x - left[0]) / (right[0] - left[0]));
                return left[1] + part * (right[1] - left[1]);
            }
        }
        return curve.get(curve.size() - 1)[1];
    }

    private double max(ToDoubleFunction<Sample> gauge) {
        return samples.stream().mapToDouble(gauge).max().orElse(0);
    }
}
