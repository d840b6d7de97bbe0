package io.tidegate.connect.bench.results;

/**
 * One look at a run.
 *
 * @param seconds since the connector was created
 * @param stored records in the store by then
 * @param workerCpu CPU seconds of the worker's processes since the connector was created, and so on
 * @param heapMb of the worker
 * @param connections to the store
 */
public record Sample(
        double seconds,
        long stored,
        double workerCpu,
        double brokerCpu,
        double serverCpu,
        double othersCpu,
        double heapMb,
        int connections) {}
