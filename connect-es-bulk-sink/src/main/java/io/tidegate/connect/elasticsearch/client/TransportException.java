package io.tidegate.connect.elasticsearch.client;

/** A request without an answer; the cause is what the network, TLS or the HTTP client had to say. */
public final class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A request that ended this way. */
    public TransportException(Throwable cause) {
        super(cause);
    }
}
