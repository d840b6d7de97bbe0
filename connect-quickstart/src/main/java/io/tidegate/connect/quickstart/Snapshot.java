package io.tidegate.connect.quickstart;

import java.time.Duration;
import java.util.List;

/**
 * How far the pipeline is at one moment.
 *
 * @param elapsed since the first record was produced
 * @param total records that there will be
 */
record Snapshot(Duration elapsed, long produced, long total, List<SinkState> sinks) {
    Snapshot {
        sinks = List.copyOf(sinks);
    }

    /**
     * @param rate records stored a second, of late
     * @param lag records produced whose offsets the connector has not committed yet
     */
    record SinkState(Sink sink, long stored, long rate, long lag, int connections) {}
}
