package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

/** The registry gave no answer, or none that says whether there is a schema: it may do so later. */
final class RegistryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isAccessRefused;

    RegistryException(String reason) {
        this(reason, false);
    }

    /** An answer other than a schema. */
    RegistryException(String reason, boolean isAccessRefused) {
        super(requireNonNull(reason, "reason"));
        this.isAccessRefused = isAccessRefused;
    }

    RegistryException(String reason, Throwable cause) {
        super(requireNonNull(reason, "reason"), cause);
        this.isAccessRefused = false;
    }

    /** Whether other credentials may help. */
    boolean isAccessRefused() {
        return isAccessRefused;
    }
}
