package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

/** The registry gave no answer, or none that says whether there is a schema: it may do so later. */
final class RegistryException extends Exception {
    private static final long serialVersionUID = 1L;

    RegistryException(String reason) {
        super(requireNonNull(reason, "reason"));
    }

    RegistryException(String reason, Throwable cause) {
        super(requireNonNull(reason, "reason"), cause);
    }
}
