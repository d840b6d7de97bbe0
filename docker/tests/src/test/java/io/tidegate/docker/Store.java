package io.tidegate.docker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** Where readings end up. Thread-safe. */
interface Store {
    /** As a reader of a table knows it. */
    String name();

    /**
     * How many there are, doubled ones included; asked within a few seconds.
     *
     * @throws StoreException if no server answers
     */
    long count() throws StoreException;

    /** Every document whose number is greater. */
    void readAfter(long number, Consumer<JsonNode> document) throws StoreException;

    /** No server answers, as in a failover. */
    final class StoreException extends Exception {
        private static final long serialVersionUID = 1L;

        StoreException(Throwable cause) {
            super(cause);
        }
    }
}
