package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.ServerException;
import java.io.Serial;

/** A Connect worker responded with an error. */
public final class RestException extends ServerException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    RestException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
