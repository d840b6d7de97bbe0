package io.tidegate.connect.tools.store;

import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ToolException;
import java.util.List;
import java.util.Map;

/** The server that a sink writes to. The main thread only. */
public interface Store extends StoreProbe, AutoCloseable {
    /** The server first, then what belongs to it, in the order in which they start. */
    List<Server> servers();

    /** Connects for our own questions, when the server runs. */
    void open() throws ToolException;

    /** The variables that connector configurations refer to, for the worker. */
    Map<String, String> environment();

    /**
     * Empties the store.
     *
     * @param table to make, for PostgreSQL
     * @param indexDefinition settings and mappings of the index to make, for Elasticsearch; empty for the server's own
     */
    void reset(Table table, String indexDefinition) throws ToolException;

    /** Product and version. */
    String version() throws ToolException;

    @Override
    void close();
}
