package io.tidegate.connect.bench.plan;

/**
 * What is wanted.
 *
 * @param rate in records/s
 * @param headroom the part of the capacity that stays free, 0 to below 1
 * @param workerCores cores of one worker
 */
public record Target(double rate, double headroom, int workerCores) {
    /** What the tasks must be able to do, so that the target leaves the headroom. */
    double capacity() {
        return rate / (1 - headroom);
    }
}
