package io.tidegate.connect.bench.store;

/** Sends requests that were built before. Opened and used by a thread for each connection. */
public interface RawWriter {
    /** Records in a request, but for the last one. */
    int BATCH = 5_000;

    String label();

    Session open() throws Exception;

    /** One connection; one thread. */
    interface Session extends AutoCloseable {
        /**
         * Sends one request and returns when it is stored.
         *
         * @param from the number of the first record
         * @param rows up to {@link #BATCH}
         */
        void write(long from, int rows) throws Exception;
    }
}
