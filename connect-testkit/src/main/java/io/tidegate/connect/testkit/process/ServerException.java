package io.tidegate.connect.testkit.process;

import java.io.Serial;

/** A server failed, or a request to it. The message says which, why, and where the log is. */
public class ServerException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public ServerException(String message) {
        super(message);
    }

    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
