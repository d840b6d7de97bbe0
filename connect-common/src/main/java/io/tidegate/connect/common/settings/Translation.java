package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A setting of another sink that has another form here.
 *
 * @param theirs its name
 * @param ours our settings for it, by the whole configuration, in which it has a value; empty when it is to stay as it is
 */
public record Translation(String theirs, Function<Map<String, String>, Optional<Map<String, String>>> ours) {
    public Translation {
        requireNonNull(theirs, "theirs");
        requireNonNull(ours, "ours");
    }
}
