package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Snapshot;
import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.testkit.process.ServerLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Asks the stores until each has all records. It asks every 50 to 500 ms, so that the measured time is accurate to 2 %.
 * Fails if nothing changes for a minute or a task has failed. Used by the main thread only.
 */
final class Watch {
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMillis(500);
    private static final Duration HEALTH = Duration.ofSeconds(2);
    private static final Duration STALL = Duration.ofSeconds(60);
    private static final Duration RECOUNT = Duration.ofSeconds(1);

    private final Feeder feeder;
    private final Groups groups;
    private final Connectors connectors;
    private final DetailReader details;
    private final View view;
    private final long total;
    private final List<Watched> sinks;
    private final long startNanos = System.nanoTime();
    private Duration lastShown = Duration.ZERO;
    private Duration lastHealthy = Duration.ZERO;
    private Duration lastMoved = Duration.ZERO;
    private long lastSum;

    Watch(
            Feeder feeder,
            Groups groups,
            Connectors connectors,
            DetailReader details,
            View view,
            long total,
            List<TideStore> stores) {
        this.feeder = feeder;
        this.groups = groups;
        this.connectors = connectors;
        this.details = details;
        this.view = view;
        this.total = total;
        this.sinks = stores.stream().map(Watched::new).toList();
    }

    /**
     * How long a store took.
     *
     * @param elapsed from the first record produced to the last record stored
     */
    record Timing(Duration elapsed, OptionalLong steadyRate) {}

    /** The timing of each store, in the order of the stores. */
    List<Timing> untilAllIsStored() throws ToolException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        feeder.start();
        while (!sample()) {
            long nanos = Math.max(
                    SHORTEST.toNanos(), Math.min(LONGEST.toNanos(), elapsed().toNanos() / 50));
            never.await(nanos, TimeUnit.NANOSECONDS);
        }
        details.expire();
        show();
        return sinks.stream()
                .map(sink -> new Timing(sink.finished.orElseThrow(), sink.steady.rate()))
                .toList();
    }

    private boolean sample() throws ToolException, InterruptedException {
        Optional<String> failure = feeder.failure();
        if (failure.isPresent()) {
            throw new ToolException(failure.get());
        }
        boolean fed = feeder.done();
        long sum = feeder.produced().total();
        boolean all = fed;
        for (Watched sink : sinks) {
            sink.sample(fed);
            sum += sink.arrived;
            all &= sink.finished.isPresent();
        }
        if (!all) {
            checkProgress(sum);
        }
        if (elapsed().minus(lastShown).compareTo(view.interval()) >= 0) {
            show();
        }
        return all;
    }

    private void checkProgress(long sum) throws ToolException {
        Duration now = elapsed();
        if (sum != lastSum) {
            lastSum = sum;
            lastMoved = now;
        }
        if (now.minus(lastMoved).compareTo(STALL) > 0) {
            throw new ToolException(stalled());
        }
        if (now.minus(lastHealthy).compareTo(HEALTH) > 0) {
            lastHealthy = now;
            for (Watched sink : sinks) {
                Optional<String> problem = connectors.problem(sink.tides.sink());
                if (problem.isPresent()) {
                    throw new ToolException(problem.get());
                }
            }
        }
    }

    private String stalled() {
        List<String> lines = new ArrayList<>();
        lines.add("no progress for " + STALL.toSeconds() + " s: "
                + feeder.produced().total() + " of " + total + " records produced");
        for (Watched sink : sinks) {
            lines.add(sink.tides.sink() + " has " + sink.arrived + "; "
                    + connectors.describe(sink.tides.sink().connector())
                    + "; the end of the server's log:\n"
                    + new ServerLog(sink.tides.server().log()).tail());
        }
        return String.join("\n", lines);
    }

    private void show() throws ToolException, InterruptedException {
        lastShown = elapsed();
        long produced = feeder.produced().total();
        List<SinkState> states = new ArrayList<>();
        for (Watched sink : sinks) {
            long stored = Math.min(sink.arrived, produced);
            long lag = Math.max(0, produced - groups.committed(sink.tides.sink()));
            long rate = sink.meter.rate(sink.finished.orElse(lastShown), stored);
            states.add(new SinkState(
                    sink.tides.sink(),
                    stored,
                    OptionalLong.of(rate),
                    OptionalLong.of(lag),
                    sink.tides.store().connections(),
                    details.read(sink.tides)));
        }
        view.show(new Snapshot(lastShown, produced, total, states));
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** One store. It is finished when a query has counted all its records. */
    private final class Watched {
        private final TideStore tides;
        private final RateMeter meter = new RateMeter();
        private final SteadyRate steady = new SteadyRate(total);
        private long arrived;
        private Optional<Duration> finished = Optional.empty();
        private Duration lastCount = RECOUNT.negated();

        Watched(TideStore tides) {
            this.tides = tides;
        }

        void sample(boolean fed) throws ToolException, InterruptedException {
            if (finished.isPresent()) {
                return;
            }
            Duration now = elapsed();
            arrived = tides.arrived();
            steady.sample(now, arrived);
            if (fed && arrived >= total && now.minus(lastCount).compareTo(RECOUNT) >= 0) {
                lastCount = now;
                finished = tides.count() >= total ? Optional.of(now) : Optional.empty();
            }
        }
    }
}
