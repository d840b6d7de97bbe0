package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;

/** For a sink that stores nothing: what the framework has handed to it. */
record FloorGauge(WorkerProbe probe, String connector) implements Gauge {
    @Override
    public long progress() throws BenchException {
        return probe.sent(connector);
    }

    @Override
    public boolean progressIsExact() {
        return true;
    }

    @Override
    public long count() throws BenchException {
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
