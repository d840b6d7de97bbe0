package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.connect.errors.RetriableException;

/**
 * A server from which records need something refuses access. Other credentials may help, which a config provider may have
 * already.
 */
public final class AccessRefusedException extends RetriableException {
    private static final long serialVersionUID = 1L;

    public AccessRefusedException(String message, Throwable cause) {
        super(requireNonNull(message, "message"), cause);
    }
}
