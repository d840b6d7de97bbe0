package io.tidegate.connect.testkit;

import java.io.Serial;

/** A Connect worker answered a request with an error. */
public final class ConnectRestException extends ServerException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    ConnectRestException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
