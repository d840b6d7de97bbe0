package io.tidegate.connect.lab.tides;

import io.tidegate.connect.cli.ToolException;

/** A source of records. Every call streams the same records in the same order, with one in memory at a time. */
public interface TideSource {
    /**
     * Passes at most {@code limit} records to the receiver and returns their number.
     *
     * @throws ToolException if the input cannot be read or is not valid
     * @throws InterruptedException if the receiver was interrupted
     */
    long stream(long limit, Receiver receiver) throws ToolException, InterruptedException;

    /** Receives one record. An empty key means that it has no key, an empty value that it is a tombstone. */
    @FunctionalInterface
    interface Receiver {
        void accept(byte[] key, byte[] value) throws InterruptedException;
    }
}
