package io.tidegate.connect.elasticsearch.client;

/** A request without a response; the cause comes from the network, TLS or the HTTP client. */
public final class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A request that ended this way. */
    public TransportException(Throwable cause) {
        super(cause);
    }
}
