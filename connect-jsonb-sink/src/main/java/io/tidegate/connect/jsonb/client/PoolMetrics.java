package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.metrics.IMetricsTracker;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import com.zaxxer.hikari.metrics.PoolStats;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.metrics.PublishedMetrics;
import io.tidegate.connect.common.metrics.SlidingWindow;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * What a worker's pool counts and times, for operators. An MBean shows it once for the pool, and each task that uses
 * the pool shows it too. HikariCP and the pool's users update it. Any thread may read it.
 */
public final class PoolMetrics implements MetricsTrackerFactory {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final String name;
    private final IntSupplier waitingForTurn;
    private final LongSupplier opened;
    private final SlidingWindow waitNanos = new SlidingWindow(System::nanoTime);
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private volatile Optional<PoolStats> stats = Optional.empty(); // empty until HikariCP has made the pool

    /** The name contains the server and the user, but no secrets. */
    PoolMetrics(String name, IntSupplier waitingForTurn, LongSupplier opened) {
        this.name = requireNonNull(name, "name");
        this.waitingForTurn = requireNonNull(waitingForTurn, "waitingForTurn");
        this.opened = requireNonNull(opened, "opened");
    }

    /** The metrics of a pool that does nothing, for a list of all metrics. */
    public static List<Metric> described() {
        return new PoolMetrics("", () -> 0, () -> 0).all();
    }

    @Override
    public IMetricsTracker create(String poolName, PoolStats poolStats) {
        stats = Optional.of(poolStats);
        PublishedMetrics published = PublishedMetrics.ofShared("connection-pool", name, all());
        return new IMetricsTracker() {
            @Override
            public void recordConnectionTimeout() {
                timeouts.increment();
            }

            @Override
            public void close() {
                published.close();
            }
        };
    }

    /** Counts a lane that had its connection after this time. */
    void waited(long nanos) {
        waitNanos.record(nanos);
    }

    /** Counts a lane that had no turn in time. */
    void timedOut() {
        timeouts.increment();
    }

    /** Counts that all connections were given up. */
    void evicted() {
        evictions.increment();
    }

    /** Every metric with its current value. */
    List<Metric> all() {
        List<Metric> all = new ArrayList<>(List.of(
                gauge("pool-active", "connections", "Connections in use.", PoolStats::getActiveConnections),
                gauge(
                        "pool-idle",
                        "connections",
                        "Open connections that are not in use.",
                        PoolStats::getIdleConnections),
                gauge(
                        "pool-waiting",
                        "lanes",
                        "Lanes that wait for a connection.",
                        pool -> pool.getPendingThreads() + waitingForTurn.getAsInt()),
                gauge("pool-max", "connections", "Maximum connections of the pool.", PoolStats::getMaxConnections)));
        all.add(count("pool-opened-total", "connections", "Connections opened.", opened));
        all.add(count(
                "pool-timeouts-total",
                "requests",
                "Requests for a connection that got none in " + ConnectionSettings.POOL_WAIT_MS + ".",
                timeouts::sum));
        all.add(count(
                "pool-evictions-total",
                "times",
                "How often all connections were given up, because the primary went away or changed.",
                evictions::sum));
        all.addAll(waitNanos.metrics("pool-wait-ms", "ms", NANOS_PER_MILLI, "Time until a lane had its connection"));
        return all;
    }

    private Metric gauge(String metric, String unit, String description, ToIntFunction<PoolStats> of) {
        return new Metric(
                metric, unit, description, () -> stats.map(of::applyAsInt).orElse(0));
    }

    private static Metric count(String metric, String unit, String description, LongSupplier total) {
        return new Metric(metric, unit, description, total::getAsLong);
    }
}
