package io.tidegate.connect.lab.store;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** The server that a sink writes to. Used by the main thread only. */
public interface Store extends StoreProbe, AutoCloseable {
    /** All servers in the order of their start: the database server first. */
    List<Server> servers();

    /** Opens this program's own connection. The server must be running. */
    void open() throws ToolException;

    /** The environment variables for the worker that connector configurations refer to. */
    Map<String, String> environment();

    /**
     * Empties the store.
     *
     * @param table the table to create in PostgreSQL
     * @param indexDefinition settings and mappings of the index to create in Elasticsearch, or empty for defaults
     */
    void reset(Table table, String indexDefinition) throws ToolException;

    /** The bytes on disk of what is stored. */
    long bytes() throws ToolException;

    /** The product's name and version. */
    String version() throws ToolException;

    @Override
    void close();
}
