package io.tidegate.connect.bench.workload;

import io.tidegate.connect.cli.ToolException;
import java.util.Optional;

/** Generates a load: it has begun to send, or will soon. The main thread calls it. */
public interface Generator extends AutoCloseable {
    /**
     * The state of the generator.
     *
     * @param sent records handed to a producer
     * @param accepted records that the broker has acknowledged
     * @param done whether it sends no more records
     * @param failure the reason why it failed, if it did
     */
    record Sending(long sent, long accepted, boolean done, Optional<String> failure) {}

    /** The start of the first phase, in microseconds since 1970. */
    long startMicros();

    Sending sample() throws ToolException;

    /** The largest delay with which a record of the phase was sent, in milliseconds; 0 if none was sent. */
    double lagMillis(int phase) throws ToolException;

    @Override
    void close();
}
