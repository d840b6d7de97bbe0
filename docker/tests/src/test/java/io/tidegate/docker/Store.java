package io.tidegate.docker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** A place where readings are stored. Thread-safe. */
interface Store {
    /** The name in tables and messages. */
    String name();

    /**
     * The number of stored readings, including duplicates. Takes a few seconds at most.
     *
     * @throws StoreException if no server responds
     */
    long count() throws StoreException;

    /** Reads every document with a greater number. */
    void readAfter(long number, Consumer<JsonNode> document) throws StoreException;

    /** No server responds, for example during a failover. */
    final class StoreException extends Exception {
        private static final long serialVersionUID = 1L;

        StoreException(Throwable cause) {
            super(cause);
        }
    }
}
