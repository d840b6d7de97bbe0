package io.tidegate.connect.bench.results;

/**
 * One sample of a run.
 *
 * @param seconds since the connector was created
 * @param stored records that were stored so far
 * @param workerCpu CPU seconds of the worker's processes since then; the next three fields likewise
 * @param heapMb the used heap of the worker
 * @param connections open connections to the store
 * @param offered records that were due so far; 0 without a generator
 * @param accepted records that the broker acknowledged so far; 0 without a generator
 */
public record Sample(
        double seconds,
        long stored,
        double workerCpu,
        double brokerCpu,
        double serverCpu,
        double othersCpu,
        double heapMb,
        int connections,
        long offered,
        long accepted) {
    /** The CPU seconds of all processes. */
    public double allCpu() {
        return workerCpu + brokerCpu + serverCpu + othersCpu;
    }

    /** A copy with another number of stored records. */
    public Sample withStored(long other) {
        return new Sample(
                seconds, other, workerCpu, brokerCpu, serverCpu, othersCpu, heapMb, connections, offered, accepted);
    }

    /** A copy without the CPU seconds of the server that an observer has caused. */
    public Sample withoutServerCpu(double cpu) {
        return new Sample(
                seconds,
                stored,
                workerCpu,
                brokerCpu,
                serverCpu - cpu,
                othersCpu,
                heapMb,
                connections,
                offered,
                accepted);
    }

    /** A copy with the counts of a generator. */
    public Sample withLoad(long due, long acked) {
        return new Sample(seconds, stored, workerCpu, brokerCpu, serverCpu, othersCpu, heapMb, connections, due, acked);
    }
}
