package io.tidegate.connect.bench.sink;

import io.tidegate.connect.bench.BenchException;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** The server that a sink writes to. The main thread only. */
interface Store extends Gauge, AutoCloseable {
    StoreKind kind();

    /** The server, and what stands in front of it, in the order in which they start. */
    List<Server> servers();

    /** Once, when the server runs. */
    void open() throws BenchException;

    /** For the worker: the variables that configurations refer to. */
    Map<String, String> environment();

    /** Empties the store and prepares it for the subject. */
    void reset(Subject subject) throws BenchException;

    /** Product and version. */
    String version() throws BenchException;

    @Override
    void close();
}
