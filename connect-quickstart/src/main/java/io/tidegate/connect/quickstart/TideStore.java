package io.tidegate.connect.quickstart;

import io.tidegate.connect.harness.store.Store;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.command.ToolException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tides in one store, and the queries of the quickstart. Used by the main thread only. */
interface TideStore {
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

    /** A shell command that connects to the server. */
    String address();

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
