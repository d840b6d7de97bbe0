package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.Snapshot.Level;
import io.tidegate.connect.testkit.process.Server;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tides in one store, and the queries of the quickstart. Used by the main thread only. */
interface TideStore {
    /** NOAA's id. Of the predicted tides, only Seattle's are predicted from its own constituents. */
    String SEATTLE = "9447130";

    /** The most levels that {@link #levels} returns: two days of readings every six minutes. */
    int MOST_LEVELS = 480;

    Sink sink();

    Store store();

    /** The server of the store. */
    default Server server() {
        return store().servers().get(0);
    }

    /** Does what a user does before creating the connector. The server must be running. */
    void prepare() throws ToolException, InterruptedException;

    /** The environment variables for the worker that the connector's file refers to. */
    default Map<String, String> environment() {
        return store().environment();
    }

    /** The number of stored records, from a cheap counter. It is too high after a repeated delivery. */
    long arrived() throws ToolException, InterruptedException;

    /** The number of records that a query finds. */
    long count() throws ToolException, InterruptedException;

    /** Reads the coordinates of every record. Counts those that appear more than once or were never produced. */
    long duplicates(Produced produced) throws ToolException, InterruptedException;

    /** A query that a user might run, and its result. */
    Example highestTides() throws ToolException, InterruptedException;

    /** A station with levels, Seattle if possible; absent if a query finds none. */
    Optional<Station> station() throws ToolException, InterruptedException;

    /** The latest levels of a station that a query finds, in no order. */
    List<Level> levels(String station) throws ToolException, InterruptedException;

    /** A level; absent if the time is not one. */
    static Optional<Level> level(String time, double metres) {
        try {
            return Optional.of(new Level(Instant.parse(time), metres));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** A shell command that connects to the server. */
    String address();

    record Station(String id, String name) {}

    /**
     * A query that a user might run.
     *
     * @param answer one line per row
     */
    record Example(String query, List<String> answer) {
        static String row(String station, double metres) {
            return String.format(Locale.ROOT, "%-40s %7.3f m", station, metres);
        }
    }
}
