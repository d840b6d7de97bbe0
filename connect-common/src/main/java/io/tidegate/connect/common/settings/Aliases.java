package io.tidegate.connect.common.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Names that other connectors have for the same settings, so that a configuration can move without being rewritten.
 *
 * @param names ours by theirs
 */
public record Aliases(Map<String, String> names) {
    /** No other names. */
    public static final Aliases NONE = new Aliases(Map.of());

    public Aliases {
        names = Map.copyOf(names);
    }

    /** The configuration by our names; where one stands under both, ours counts. */
    public Map<String, String> resolve(Map<String, String> props) {
        Map<String, String> resolved = new HashMap<>(props); // Connect lets a setting be null
        used(props).forEach((theirs, ours) -> {
            resolved.remove(theirs);
            resolved.putIfAbsent(ours, props.get(theirs));
        });
        return resolved;
    }

    /** The other names that a configuration uses, and ours for them. */
    public Map<String, String> used(Map<String, String> props) {
        Map<String, String> used = new TreeMap<>();
        names.forEach((theirs, ours) -> {
            if (props.containsKey(theirs)) {
                used.put(theirs, ours);
            }
        });
        return used;
    }

    /** Settings that stand under two names with different values. */
    public List<Problem> contradictions(Map<String, String> props) {
        List<Problem> problems = new ArrayList<>();
        used(props).forEach((theirs, ours) -> {
            if (props.containsKey(ours) && !Objects.equals(props.get(ours), props.get(theirs))) {
                problems.add(new Problem(ours, "is set under another name too, " + theirs + ", with another value"));
            }
        });
        return problems;
    }
}
