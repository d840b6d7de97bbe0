package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.worker.WorkerMetrics;
import io.tidegate.connect.quickstart.TideStore.Station;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.Snapshot.Details;
import io.tidegate.connect.quickstart.view.Snapshot.Level;
import io.tidegate.connect.quickstart.view.Snapshot.Tide;
import io.tidegate.connect.quickstart.view.View;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what only some views show: the requests in flight from the worker's metrics, and the tide of a station from the
 * stores. What cannot be read is unknown and does not fail the run. Used by the main thread only.
 */
final class DetailReader implements AutoCloseable {
    /** A tide is read at most once in this time, and in at most a twentieth of the time. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final int SHARE = 20;

    private final Optional<WorkerMetrics> metrics;
    private final Map<Sink, Reading> readings = new EnumMap<>(Sink.class);
    private Optional<Station> station = Optional.empty();

    private record Reading(Optional<Tide> tide, long dueNanos) {}

    private DetailReader(Optional<WorkerMetrics> metrics) {
        this.metrics = metrics;
    }

    /** @param worker must have a JMX port if the view shows details */
    static DetailReader of(View view, ConnectWorker worker) throws ToolException {
        return new DetailReader(
                view.showsDetails() ? Optional.of(new WorkerMetrics(List.of(worker.jmxUrl()))) : Optional.empty());
    }

    Details read(TideStore store) throws InterruptedException {
        return metrics.isEmpty()
                ? Details.NONE
                : new Details(inFlight(store.sink(), store.sink().connector()), tide(store));
    }

    /** A lane has a connection exactly while it waits for the server. All tasks share the connections. */
    OptionalLong inFlight(Sink sink, String connector) {
        try {
            double most = metrics.orElseThrow().pluginMax(connector, metric(sink));
            return Double.isNaN(most) ? OptionalLong.empty() : OptionalLong.of(Math.round(most));
        } catch (ToolException e) {
            return OptionalLong.empty();
        }
    }

    private static String metric(Sink sink) {
        return switch (sink) {
            case JSONB -> "pool-active";
            case ES -> "http-active";
        };
    }

    private Optional<Tide> tide(TideStore store) throws InterruptedException {
        long start = System.nanoTime();
        Optional<Reading> last = Optional.ofNullable(readings.get(store.sink()));
        if (last.isPresent() && start - last.get().dueNanos() < 0) {
            return last.get().tide();
        }
        Optional<Tide> tide = query(store);
        long end = System.nanoTime();
        readings.put(store.sink(), new Reading(tide, end + Math.max(INTERVAL.toNanos(), SHARE * (end - start))));
        return tide;
    }

    private Optional<Tide> query(TideStore store) throws InterruptedException {
        try {
            if (station.isEmpty() || !station.get().id().equals(TideStore.SEATTLE)) {
                station = store.station().or(() -> station);
            }
            if (station.isEmpty()) {
                return Optional.empty();
            }
            List<Level> levels = store.levels(station.get().id());
            return Optional.of(new Tide(
                    station.get().name(),
                    levels.stream().sorted(Comparator.comparing(Level::time)).toList()));
        } catch (ToolException e) {
            return Optional.empty();
        }
    }

    /** Makes the next call read the tides, however short ago it has read them. */
    void expire() {
        readings.clear();
    }

    @Override
    public void close() {
        metrics.ifPresent(WorkerMetrics::close);
    }
}
