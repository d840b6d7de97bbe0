package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;

/**
 * A password or token. Its text form does not show it.
 *
 * @param expires after this moment the server refuses it; if empty, it is asked for each time and never kept
 */
public record Secret(String value, Optional<Instant> expires) {
    public Secret {
        requireNonNull(value, "value");
        requireNonNull(expires, "expires");
    }

    @Override
    public String toString() {
        return "a secret" + expires.map(moment -> " that expires at " + moment).orElse("");
    }
}
