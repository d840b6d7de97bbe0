package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.harness.store.StoreProbe;
import io.tidegate.connect.harness.worker.WorkerMetrics;
import io.tidegate.connect.tools.command.ToolException;

/** Counts the records that the framework has handed to a sink that stores nothing. */
public record FrameworkProbe(WorkerMetrics metrics, String connector) implements StoreProbe {
    @Override
    public long progress() throws ToolException {
        return metrics.sent(connector);
    }
}
