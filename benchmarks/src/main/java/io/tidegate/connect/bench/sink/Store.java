package io.tidegate.connect.bench.sink;

import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.tools.ToolException;
import java.util.List;
import java.util.Map;

/** The server that a sink writes to. The main thread only. */
interface Store extends Gauge, AutoCloseable {
    StoreKind kind();

    /** The server, and what stands in front of it, in the order in which they start. */
    List<Server> servers();

    /** Once, when the server runs. */
    void open() throws ToolException;

    /** For the worker: the variables that configurations refer to. */
    Map<String, String> environment();

    /** Empties the store and prepares it for the subject. */
    void reset(Subject subject) throws ToolException;

    /** Product and version. */
    String version() throws ToolException;

    @Override
    void close();
}
