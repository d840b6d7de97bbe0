package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.testbed.DeployedConnector;
import io.tidegate.connect.bench.testbed.WorkerGroup;
import io.tidegate.connect.cli.ToolException;
import java.util.List;
import java.util.Optional;
import javax.management.ObjectName;

/** The generator's connector on a separate worker, and the counts that its tasks report. Main thread only. */
public final class RunningGenerator {
    static final String CONNECTOR = "bench-generator";
    private static final String BEANS =
            "tidegate.bench:type=generator,connector=" + ObjectName.quote(CONNECTOR) + ",task=*";

    private final WorkerGroup group;
    private final int tasks;

    RunningGenerator(WorkerGroup group, int tasks) {
        this.group = group;
        this.tasks = tasks;
    }

    /** Records that the tasks have handed to Connect. */
    public long sent() throws ToolException {
        return sum("Sent");
    }

    /** Records that the broker has acknowledged. */
    public long accepted() throws ToolException {
        return sum("Accepted");
    }

    /** Whether every task has sent its part and the broker has acknowledged it. */
    public boolean isDone() throws ToolException {
        List<Object> done = group.metrics().values(BEANS, "Done");
        return done.size() == tasks && done.stream().allMatch(Boolean.TRUE::equals);
    }

    /** The largest delay with which a record of the phase was handed over, in microseconds. */
    public long latestMicros(int phase) throws ToolException {
        return group.metrics().values(BEANS, "LatestMicros").stream()
                .mapToLong(latest -> latest instanceof long[] phases ? phases[phase] : 0)
                .max()
                .orElse(0);
    }

    /** The problem of the connector, if it has one. */
    public Optional<String> problem() {
        return new DeployedConnector(group.rest(), CONNECTOR).problem();
    }

    private long sum(String attribute) throws ToolException {
        return group.metrics().values(BEANS, attribute).stream()
                .mapToLong(value -> ((Number) value).longValue())
                .sum();
    }
}
