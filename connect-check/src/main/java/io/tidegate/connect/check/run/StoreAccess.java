package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.StoredItem;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Server;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

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

    /** The next offsets that the store itself keeps for a connector; empty if it keeps none. */
    default Map<TopicPartition, Long> offsets(String name) throws Exception {
        return Map.of();
    }

    /** Makes everything durable that has been committed, so that a crash of the server loses none of it. */
    default void makeDurable() throws Exception {}

    /** What the server does at this moment, for the report of a case that does not come to rest. Empty if it does not tell. */
    default String activity() throws Exception {
        return "";
    }

    /** Remembers what it has of the case, for {@link #goBack}. */
    default void remember(String name) throws Exception {
        throw new UnsupportedOperationException(kind());
    }

    /** Ends the case's sessions and comes back with what it remembers of the case, as from a backup. */
    default void goBack(String name) throws Exception {
        throw new UnsupportedOperationException(kind());
    }

    /**
     * One row or document that was deleted or changed.
     *
     * @param finding what an audit must call it
     */
    record Damage(String what, String finding) {
        static Damage of(boolean isDeleted, String what) {
            return new Damage(what, isDeleted ? "missing" : "different");
        }
    }

    /** Deletes or changes one row or document of the case; empty if the case has none. */
    Optional<Damage> damage(String name, Random choice) throws Exception;

    /** Removes rows and documents of the case, and keeps tables. */
    void empty(CheckCase planned, String name) throws Exception;

    /** Drops what belongs to the case. */
    void drop(CheckCase planned, String name) throws Exception;

    @Override
    void close();
}
