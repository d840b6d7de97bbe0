package io.tidegate.connect.quickstart.view;

import java.time.Duration;
import java.util.List;

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
     * @param rate records stored per second over the last few seconds
     * @param lag records produced whose offsets the connector has not committed yet
     */
    public record SinkState(Sink sink, long stored, long rate, long lag, int connections) {}
}
