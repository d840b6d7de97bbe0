package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.lab.worker.WorkerMetrics;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import java.util.List;

/** The workers of one group (usually one), and their metrics. */
public record WorkerGroup(List<ConnectWorker> members, WorkerMetrics metrics) {
    /** The REST client of the first worker. Any worker answers for the group. */
    public ConnectRest rest() {
        return members.get(0).rest();
    }

    /** The CPU seconds of all workers so far. */
    public double cpu() {
        return TestBed.cpu(members);
    }
}
