package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

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
     * Whether the server itself keeps offsets, so that a document before them counts as written. Nothing behind a refused
     * record is written then before that one is reported.
     */
    default boolean keepsOffsets() {
        return false;
    }

    /** Whether the task is to fail when Kafka no longer has records that the server has lost; else that is said. */
    default boolean failsOnMissing() {
        return false;
    }

    /** What the connections have shown of the server. Any thread. */
    default ServerSight serverSight() {
        return ServerSight.NONE;
    }

    /**
     * How far back records are delivered again after the server has changed, because the new one may lack them; zero
     * for not at all. Only a target whose writes may be repeated, and whose server keeps no offsets, asks for it.
     */
    default Duration replay() {
        return Duration.ZERO;
    }

    /**
     * Whether to skip a record that the mapper refused, without a report. Task thread.
     *
     * @throws ConnectException when the task has to fail instead
     */
    default boolean skips(SinkRecord record, RefusedException reason) {
        return false;
    }

    /** Numbers of this kind of server, beside those that every task has. */
    default List<Metric> metrics() {
        return List.of();
    }

    /** How the server is called in traces. */
    Traced traced();

    /** The server and destination, for log lines and messages; no secrets. */
    String description();

    @Override
    void close();
}
