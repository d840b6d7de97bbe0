package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

/** Why a schema, or a payload of a schema, has no JSON; never the content. It has no stack trace: the data is at fault. */
final class UnfitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnfitException(String reason) {
        super(requireNonNull(reason, "reason"), null, false, false);
    }
}
