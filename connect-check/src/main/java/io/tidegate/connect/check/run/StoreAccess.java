package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.StoredItem;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;

/** A kind of store: its server, and how cases prepare and read it. Thread-safe. */
public interface StoreAccess extends AutoCloseable {
    /** {@code postgresql} or {@code search}. */
    String kind();

    Server server();

    /** Called once, after the server has started. */
    void open();

    /** A new way to the server, which only one case uses. */
    TcpProxy proxy();

    /** Placeholders for a connector that reaches the server through this proxy, such as {@code url}. */
    Map<String, String> address(TcpProxy proxy);

    /** Creates what the connector finds. */
    void prepare(CheckCase planned, String name) throws Exception;

    /** Everything that belongs to the case. */
    List<StoredItem> read(CheckCase planned, String name) throws Exception;

    /** Runs statements or requests on what belongs to the case. */
    void change(String name, String change) throws Exception;

    /** Removes rows and documents of the case, and keeps tables. */
    void empty(CheckCase planned, String name) throws Exception;

    /** Drops what belongs to the case. */
    void drop(CheckCase planned, String name) throws Exception;

    @Override
    void close();
}
