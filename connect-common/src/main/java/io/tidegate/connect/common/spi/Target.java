package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.override.ErrorOverrides;
import java.util.List;
import java.util.Map;

/**
 * What a task writes to: it turns records into documents and opens a writer for each lane. Opened when the task starts
 * and closed by the task, which thereby gives back shared connections.
 */
public interface Target extends AutoCloseable {
    /** How records become documents of this target; used on the task thread only. */
    DocumentMapper mapper();

    /** Opens a writer for one lane. Must not reach for the server: a task starts while the server is down. */
    BatchWriter openWriter(int lane);

    /**
     * Opens a writer that only asks the server, instead of the others.
     *
     * @param isServerAsked whether it may ask; otherwise it accepts everything that this sink itself does not refuse
     */
    default TrialWriter openTrial(boolean isServerAsked) {
        return new UnaskedTrial(document -> Map.of("destination", document.destination()));
    }

    /** Whether a later document makes an earlier one with the same key and destination pointless. */
    default boolean lastWriteWins() {
        return false;
    }

    /**
     * Whether no attempt may contain a key twice: the first document of a key might fail, and would then be written after
     * the second.
     */
    default boolean separatesKeys() {
        return false;
    }

    /**
     * Whether the server itself keeps offsets, so that a document before them counts as written. Nothing behind a refused
     * record is written then before that one is reported.
     */
    default boolean keepsOffsets() {
        return false;
    }

    /** The errors that the operator wants to be handled in another way than the failure table says. */
    default ErrorOverrides errorOverrides() {
        return ErrorOverrides.NONE;
    }

    /** Whether the task is to fail when Kafka no longer has records that the server has lost; else that is said. */
    default boolean failsOnMissing() {
        return false;
    }

    /** How often the connections have found another server than before, or the same one after a restart. Any thread. */
    default long serverChanges() {
        return 0;
    }

    /** The task has written before, with other settings, and goes on with this target. */
    default void continues() {}

    /** Numbers of this kind of server, beside those that every task has. */
    default List<Metric> metrics() {
        return List.of();
    }

    /** The server and destination, for log lines and messages; no secrets. */
    String description();

    @Override
    void close();
}
