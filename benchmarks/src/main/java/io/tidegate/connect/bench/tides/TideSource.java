package io.tidegate.connect.bench.tides;

/** Where records come from: the same records in the same order every time it is streamed, one in memory at a time. */
public interface TideSource {
    /**
     * Hands over at most {@code limit} records and returns how many there were.
     *
     * @throws TideInputException when the input cannot be read or understood
     * @throws InterruptedException when the receiver was interrupted
     */
    long stream(long limit, Receiver receiver) throws TideInputException, InterruptedException;

    /** Takes one record; an empty key means that the record has none. */
    @FunctionalInterface
    interface Receiver {
        void accept(byte[] key, byte[] value) throws InterruptedException;
    }
}
