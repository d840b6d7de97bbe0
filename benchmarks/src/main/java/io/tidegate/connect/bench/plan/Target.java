package io.tidegate.connect.bench.plan;

/**
 * What is wanted.
 *
 * @param rate in records/s
 * @param headroom the part of the capacity that stays free, 0 to below 1
 * @param workerCores cores of one worker
 */
public record Target(double rate, double headroom, int workerCores) {
    private static final double MILLION = 1e6;

    /** What the tasks must be able to do, so that the target leaves the headroom. */
    double capacity() {
        return rate / (1 - headroom);
    }

    /** Cores that are busy at the rate. */
    double cores(double cpuSecondsPerMillion) {
        return cpuSecondsPerMillion * rate / MILLION;
    }

    /** How many workers have so many busy cores, and the headroom. */
    int workers(double busyCores) {
        return (int) Math.max(1, Math.ceil(busyCores / (workerCores * (1 - headroom))));
    }
}
