package io.tidegate.connect.bench.results;

/**
 * One sample of a run.
 *
 * @param seconds since the connector was created
 * @param stored records in the store so far
 * @param workerCpu CPU seconds of the worker's processes since the connector was created, and so on
 * @param heapMb of the worker
 * @param connections to the store
 * @param offered records that were due so far, where a generator makes them
 * @param accepted records that the broker had acknowledged so far
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
    /** Of a run that has no generator. */
    public static Sample of(
            double seconds,
            long stored,
            double workerCpu,
            double brokerCpu,
            double serverCpu,
            double othersCpu,
            double heapMb,
            int connections) {
        return new Sample(seconds, stored, workerCpu, brokerCpu, serverCpu, othersCpu, heapMb, connections, 0, 0);
    }

    /** The same sample with another number of records stored. */
    public Sample withStored(long other) {
        return new Sample(
                seconds, other, workerCpu, brokerCpu, serverCpu, othersCpu, heapMb, connections, offered, accepted);
    }

    /** The same sample with what a generator has done so far. */
    public Sample withLoad(long due, long acked) {
        return new Sample(seconds, stored, workerCpu, brokerCpu, serverCpu, othersCpu, heapMb, connections, due, acked);
    }
}
