package io.tidegate.connect.testkit.process;

import java.io.Serial;

/** A server, or a request to its REST interface, failed. The message says which, why and where its log is. */
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
