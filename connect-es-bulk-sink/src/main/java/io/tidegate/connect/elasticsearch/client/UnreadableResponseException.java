package io.tidegate.connect.elasticsearch.client;

import java.io.IOException;

/** An answer of success that is not one to the request; whether it was carried out is unknown. */
public final class UnreadableResponseException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableResponseException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
