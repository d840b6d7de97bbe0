package io.tidegate.connect.bench.store;

/** Sends requests that were built in advance. Each connection has its own thread. */
public interface RawWriter {
    String label();

    /** The number of records in a request; the last request may have fewer. */
    int batch();

    Session open() throws Exception;

    /** One connection, used by one thread. */
    interface Session extends AutoCloseable {
        /**
         * Sends one request and returns when it is stored.
         *
         * @param from the number of the first record
         * @param rows up to {@link #batch}
         */
        void write(long from, int rows) throws Exception;
    }
}
