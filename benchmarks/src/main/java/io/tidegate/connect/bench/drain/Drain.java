package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.testbed.DiskSpace;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.StoreProbe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Samples a run five times a second until all records are stored. Only the main thread uses it. */
final class Drain {
    private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);
    private static final double NEARLY_COMPLETE = 0.98;

    private final StoreProbe probe;
    private final Recorder recorder;
    private final long records;
    private final double progressPerRecord;
    private final Supplier<Optional<String>> health;
    private long progress;
    private double lastProgressSeconds;
    private double lastHealthCheck;

    /**
     * A drain that has not begun.
     *
     * @param progressPerRecord the {@link StoreProbe#progress} per record in an earlier run; 0 if unknown
     * @param health the problem of the writer, if it has one
     */
    Drain(
            StoreProbe probe,
            Recorder recorder,
            long records,
            double progressPerRecord,
            Supplier<Optional<String>> health) {
        this.probe = probe;
        this.recorder = recorder;
        this.records = records;
        this.progressPerRecord = progressPerRecord;
        this.health = health;
    }

    /**
     * Returns when the store holds exactly all records.
     *
     * @throws RunFailure if it holds more, if nothing is stored for a minute, or if the writer fails
     */
    void untilAllIsStored() throws RunFailure, ToolException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (!sample()) {
            never.await(Recorder.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private boolean sample() throws RunFailure, ToolException {
        double now = recorder.seconds();
        long before = progress;
        progress = probe.progress();
        recorder.take(now, progress, probe.connections());
        if (progress != before) {
            lastProgressSeconds = now;
        }
        boolean settled = progress == before && now > Recorder.INTERVAL.toMillis() / 1e3;
        if (mayBeComplete(settled) && isComplete()) {
            return true;
        }
        check(now);
        return false;
    }

    private boolean mayBeComplete(boolean settled) {
        if (probe.progressIsExact()) {
            return progress >= records;
        }
        boolean nearly = progressPerRecord > 0 && progress >= NEARLY_COMPLETE * progressPerRecord * records;
        return progress > 0 && (settled || nearly);
    }

    private boolean isComplete() throws RunFailure, ToolException {
        double asked = recorder.seconds();
        long stored = probe.count();
        if (stored > records) {
            throw new RunFailure("the store holds " + stored + " records, but the topic only " + records);
        }
        if (stored == records) {
            recorder.take(asked, probe.progress(), probe.connections());
        }
        return stored == records;
    }

    private void check(double now) throws RunFailure, ToolException {
        if (now - lastHealthCheck > HEALTH_INTERVAL.toSeconds()) {
            lastHealthCheck = now;
            Optional<String> problem = health.get();
            if (problem.isPresent()) {
                throw new RunFailure(problem.get());
            }
        }
        if (now - lastProgressSeconds > STALL_TIMEOUT.toSeconds()) {
            throw new RunFailure("the store holds " + probe.count() + " of " + records
                    + " records, and nothing was stored for " + STALL_TIMEOUT.toSeconds() + " s" + DiskSpace.remark());
        }
    }
}
