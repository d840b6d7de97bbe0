package io.tidegate.connect.tools.tides;

import io.tidegate.connect.tools.ToolException;

/** Where records come from: the same records in the same order every time it is streamed, one in memory at a time. */
public interface TideSource {
    /**
     * Hands over at most {@code limit} records and returns how many there were.
     *
     * @throws ToolException when the input cannot be read or understood
     * @throws InterruptedException when the receiver was interrupted
     */
    long stream(long limit, Receiver receiver) throws ToolException, InterruptedException;

    /** Takes one record; an empty key means that the record has none. */
    @FunctionalInterface
    interface Receiver {
        void accept(byte[] key, byte[] value) throws InterruptedException;
    }
}
