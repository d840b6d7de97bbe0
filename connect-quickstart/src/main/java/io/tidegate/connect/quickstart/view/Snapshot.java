package io.tidegate.connect.quickstart.view;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of the pipeline at one moment.
 *
 * @param elapsed since the first record was produced
 * @param total the number of records of the whole run
 */
public record Snapshot(Duration elapsed, long produced, long total, List<SinkState> sinks) {
    public Snapshot {
        sinks = List.copyOf(sinks);
    }

    /**
     * One sink. What is unknown is absent.
     *
     * @param rate records stored per second over the last few seconds
     * @param lag records produced whose offsets the connector has not committed yet
     * @param details only if {@link View#showsDetails}
     */
    public record SinkState(
            Sink sink, long stored, OptionalLong rate, OptionalLong lag, int connections, Details details) {}

    /**
     * What costs queries that only some views need.
     *
     * @param inFlight the requests that the lanes of all tasks wait for
     * @param tide of one station, as a query of the store returns it
     */
    public record Details(OptionalLong inFlight, Optional<Tide> tide) {
        public static final Details NONE = new Details(OptionalLong.empty(), Optional.empty());
    }

    /**
     * The latest water levels of a station.
     *
     * @param levels in the order of their times
     */
    public record Tide(String station, List<Level> levels) {
        public Tide {
            levels = List.copyOf(levels);
        }
    }

    /** A water level above mean lower low water. */
    public record Level(Instant time, double metres) {}
}
