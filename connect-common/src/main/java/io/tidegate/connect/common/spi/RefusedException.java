package io.tidegate.connect.common.spi;

import org.apache.kafka.connect.errors.ConnectException;

/**
 * Why one record cannot be written, for the dead letter queue: the server's own code and reason, never the content.
 * Carries no stack trace of its own; it names a fault of the data, not a place in this code.
 */
public final class RefusedException extends ConnectException {
    private static final long serialVersionUID = 1L;

    /**
     * A fault that this side found.
     *
     * @param message what is wrong with the record and which rule says so
     */
    public RefusedException(String message) {
        super(message);
    }

    /**
     * A fault that a server or parser found.
     *
     * @param message what is wrong with the record, in the server's own words where it has some
     * @param cause the server's or parser's own error
     */
    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
