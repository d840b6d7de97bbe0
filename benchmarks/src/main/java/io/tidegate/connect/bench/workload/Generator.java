package io.tidegate.connect.bench.workload;

import io.tidegate.connect.tools.ToolException;
import java.util.Optional;

/** What makes a load: it has begun to send, or will in a moment. The main thread asks it. */
public interface Generator extends AutoCloseable {
    /**
     * What it has done so far.
     *
     * @param sent records handed to a producer
     * @param accepted records that the broker has acknowledged
     * @param done whether no more come
     * @param failure why none may come any more
     */
    record Sending(long sent, long accepted, boolean done, Optional<String> failure) {}

    /** When the first phase begins, in microseconds since 1970. */
    long startMicros();

    Sending sample() throws ToolException;

    /** By how many milliseconds the latest record of a phase was late when it was sent; 0 while none is. */
    double lagMillis(int phase) throws ToolException;

    @Override
    void close();
}
