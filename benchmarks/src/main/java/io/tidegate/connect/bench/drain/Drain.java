package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.tools.DiskSpace;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.StoreProbe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Watches one run until all records are stored, five times a second. The main thread only. */
public final class Drain {
    private static final Duration HEALTH = Duration.ofSeconds(1);
    private static final Duration STALL = Duration.ofSeconds(60);
    private static final double NEARLY = 0.98;

    private final StoreProbe gauge;
    private final Recorder recorder;
    private final long records;
    private final double progressPerRecord;
    private final Health health;
    private long progress;
    private double lastMoved;
    private double lastHealthy;

    /** What is wrong with whoever writes, if anything is. */
    interface Health {
        Optional<String> problem() throws ToolException;
    }

    /** @param progressPerRecord as seen before, or 0: how much of {@link StoreProbe#progress} a record is */
    Drain(StoreProbe gauge, Recorder recorder, long records, double progressPerRecord, Health health) {
        this.gauge = gauge;
        this.recorder = recorder;
        this.records = records;
        this.progressPerRecord = progressPerRecord;
        this.health = health;
    }

    /**
     * Returns when the store holds exactly all records.
     *
     * @throws RunFailure if it holds more, or nothing moves for a minute, or the writer is broken
     */
    public void untilAllIsStored() throws RunFailure, ToolException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (!sample()) {
            never.await(Recorder.INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private boolean sample() throws RunFailure, ToolException {
        double now = recorder.seconds();
        long before = progress;
        progress = gauge.progress();
        recorder.take(now, progress, gauge.connections());
        if (progress != before) {
            lastMoved = now;
        }
        boolean settled = progress == before && now > Recorder.INTERVAL.toMillis() / 1e3;
        if (mayBeComplete(settled) && isComplete()) {
            return true;
        }
        check(now);
        return false;
    }

    private boolean mayBeComplete(boolean settled) {
        if (gauge.progressIsExact()) {
            return progress >= records;
        }
        boolean nearly = progressPerRecord > 0 && progress >= NEARLY * progressPerRecord * records;
        return progress > 0 && (settled || nearly);
    }

    private boolean isComplete() throws RunFailure, ToolException {
        double asked = recorder.seconds();
        long stored = gauge.count();
        if (stored > records) {
            throw new RunFailure("the store holds " + stored + " records, the topic " + records);
        }
        if (stored == records) {
            recorder.take(asked, gauge.progress(), gauge.connections());
        }
        return stored == records;
    }

    private void check(double now) throws RunFailure, ToolException {
        if (now - lastHealthy > HEALTH.toSeconds()) {
            lastHealthy = now;
            Optional<String> problem = health.problem();
            if (problem.isPresent()) {
                throw new RunFailure(problem.get());
            }
        }
        if (now - lastMoved > STALL.toSeconds()) {
            throw new RunFailure("the store holds " + gauge.count() + " of " + records
                    + " records, and nothing has moved for " + STALL.toSeconds() + " s" + DiskSpace.remark());
        }
    }
}
