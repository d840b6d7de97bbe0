package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.bench.results.Sample;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.worker.WorkerMetrics;
import io.tidegate.connect.testkit.process.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Takes the samples of one run. Its counters start at 0 when it is created. Only the main thread uses it. */
public final class Recorder {
    /** The time between two samples. */
    public static final Duration INTERVAL = Duration.ofMillis(200);

    private final TestBed bed;
    private final DoubleSupplier clientCpu;
    private final List<Server> servers;
    private final Optional<WorkerMetrics> probe;
    private final List<Sample> samples = new ArrayList<>();
    private final long startNanos = System.nanoTime();
    private final Sample zero;

    /**
     * Starts to count.
     *
     * @param clientCpu CPU seconds so far of the writing client: the worker, or this JVM
     * @param servers the servers of the store
     * @param probe the metrics of the worker, if there is one
     */
    public Recorder(TestBed bed, DoubleSupplier clientCpu, List<Server> servers, Optional<WorkerMetrics> probe)
            throws ToolException {
        this.bed = bed;
        this.clientCpu = clientCpu;
        this.servers = servers;
        this.probe = probe;
        zero = counters(0, 0, 0);
    }

    public double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /**
     * Takes a sample.
     *
     * @param seconds the time at which the progress was read
     */
    public void take(double seconds, long progress, int connections) throws ToolException {
        Sample now = counters(seconds, progress, connections);
        samples.add(new Sample(
                seconds,
                progress,
                now.workerCpu() - zero.workerCpu(),
                now.brokerCpu() - zero.brokerCpu(),
                now.serverCpu() - zero.serverCpu(),
                Math.max(0, now.othersCpu() - zero.othersCpu()),
                now.heapMb(),
                connections,
                0,
                0));
    }

    private Sample counters(double seconds, long progress, int connections) throws ToolException {
        double busy = CpuTime.busy();
        double own = bed.ownCpu();
        return new Sample(
                seconds,
                progress,
                clientCpu.getAsDouble(),
                TestBed.cpu(bed.broker()),
                TestBed.cpu(servers),
                busy == 0 ? 0 : busy - own,
                probe.isPresent() ? probe.get().heapMb() : 0,
                connections,
                0,
                0);
    }

    public List<Sample> samples() {
        return List.copyOf(samples);
    }
}
