package io.tidegate.connect.common.credentials;

import java.io.IOException;

/** A provider has no credentials now. It is asked again, so this is an outage and no fault of a record. */
public final class CredentialsException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The message must not contain a secret. */
    public CredentialsException(String message) {
        super(message);
    }

    /** The message must not contain a secret. */
    public CredentialsException(String message, Throwable cause) {
        super(message, cause);
    }
}
