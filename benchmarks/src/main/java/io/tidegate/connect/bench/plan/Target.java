package io.tidegate.connect.bench.plan;

/**
 * The rate that a plan must reach.
 *
 * @param rate in records/s
 * @param headroom the share of the capacity that stays free, from 0 to below 1
 * @param workerCores cores of one worker
 */
public record Target(double rate, double headroom, int workerCores) {
    private static final double MILLION = 1e6;

    /** The rate that the tasks must be able to reach, headroom included. */
    double capacity() {
        return rate / (1 - headroom);
    }

    /** The number of cores that are busy at the target rate. */
    double cores(double cpuSecondsPerMillion) {
        return cpuSecondsPerMillion * rate / MILLION;
    }

    /** The number of workers for this number of busy cores, headroom included. */
    int workers(double busyCores) {
        return (int) Math.max(1, Math.ceil(busyCores / (workerCores * (1 - headroom))));
    }
}
