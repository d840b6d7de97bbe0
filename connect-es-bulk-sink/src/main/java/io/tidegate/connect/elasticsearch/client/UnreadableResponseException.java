package io.tidegate.connect.elasticsearch.client;

import java.io.IOException;

/**
 * A response with a success status that does not fit the request. It is unknown whether the request was carried out.
 */
public final class UnreadableResponseException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableResponseException(String message) {
        super(message);
    }

    public UnreadableResponseException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
