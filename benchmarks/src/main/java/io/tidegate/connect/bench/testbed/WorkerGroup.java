package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.tools.worker.WorkerMetrics;
import java.util.List;

/** Workers of one group, one as a rule, and their metrics. */
public record WorkerGroup(List<ConnectWorker> members, WorkerMetrics metrics) {
    /** That of the first; any worker answers for the group. */
    public ConnectRest rest() {
        return members.get(0).rest();
    }

    /** CPU seconds of all so far. */
    public double cpu() {
        return TestBed.cpu(members);
    }
}
