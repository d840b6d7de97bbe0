package io.tidegate.connect.quickstart;

import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.Store;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tides in one of the stores, and the questions that the quickstart asks. The main thread only. */
interface TideStore {
    Sink sink();

    Store store();

    /** The server of the store. */
    default Server server() {
        return store().servers().get(0);
    }

    /** What a user does before creating the connector; the server runs. */
    void prepare() throws ToolException, InterruptedException;

    /** For the worker: the variables that the connector's file refers to. */
    default Map<String, String> environment() {
        return store().environment();
    }

    /** How many records have arrived, from a counter that costs the server nothing; exact unless records were delivered twice. */
    long arrived() throws ToolException, InterruptedException;

    /** How many records the store answers queries about, counted. */
    long count() throws ToolException, InterruptedException;

    /** Reads back every record's coordinates; what cannot be explained by a produced record is a duplicate. */
    long duplicates(Produced produced) throws ToolException, InterruptedException;

    /** A query that a user might ask, and its answer. */
    Example highestTides() throws ToolException, InterruptedException;

    /** How to reach the server from a shell. */
    String address();

    /**
     * A question that a user might ask.
     *
     * @param answer one line per row
     */
    record Example(String query, List<String> answer) {
        static String row(String station, double metres) {
            return String.format(Locale.ROOT, "%-40s %7.3f m", station, metres);
        }
    }
}
