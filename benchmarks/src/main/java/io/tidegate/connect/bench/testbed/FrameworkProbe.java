package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.lab.worker.WorkerMetrics;
import java.util.Optional;

/**
 * Counts the records that the framework has handed to a sink. Nothing else is known of a sink that stores nothing, and
 * nothing else is cheap to know of one that changes rows.
 *
 * @param store the store that counts the rows, if there is one
 */
public record FrameworkProbe(WorkerMetrics metrics, String connector, Optional<Store> store) implements StoreProbe {
    @Override
    public long progress() throws ToolException {
        return metrics.sent(connector);
    }

    @Override
    public long count() throws ToolException {
        return store.isPresent() ? store.get().count() : progress();
    }

    @Override
    public int connections() throws ToolException {
        return store.isPresent() ? store.get().connections() : 0;
    }

    @Override
    public long requests() throws ToolException {
        return store.isPresent() ? store.get().requests() : 0;
    }
}
