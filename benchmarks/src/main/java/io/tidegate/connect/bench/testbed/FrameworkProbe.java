package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.StoreProbe;
import io.tidegate.connect.tools.worker.WorkerMetrics;

/** For a sink that stores nothing: what the framework has handed to it. */
public record FrameworkProbe(WorkerMetrics metrics, String connector) implements StoreProbe {
    @Override
    public long progress() throws ToolException {
        return metrics.sent(connector);
    }
}
