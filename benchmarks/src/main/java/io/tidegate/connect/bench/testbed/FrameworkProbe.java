package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.StoreProbe;

/** For a sink that stores nothing: what the framework has handed to it. */
public record FrameworkProbe(WorkerProbe probe, String connector) implements StoreProbe {
    @Override
    public long progress() throws ToolException {
        return probe.sent(connector);
    }

    @Override
    public boolean progressIsExact() {
        return true;
    }

    @Override
    public long count() throws ToolException {
        return probe.sent(connector);
    }

    @Override
    public int connections() {
        return 0;
    }

    @Override
    public long requests() {
        return 0;
    }
}
