package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A setting of another sink that has a different form here.
 *
 * @param theirs its name
 * @param ours gives our settings for it from the whole configuration, which contains a value for it; empty when it must
 *     stay unchanged
 */
public record Translation(String theirs, Function<Map<String, String>, Optional<Map<String, String>>> ours) {
    public Translation {
        requireNonNull(theirs, "theirs");
        requireNonNull(ours, "ours");
    }
}
