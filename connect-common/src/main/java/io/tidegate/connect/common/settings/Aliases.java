package io.tidegate.connect.common.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The names that other sinks use for the same settings. A configuration can then move without a rewrite.
 *
 * @param names our names by theirs
 * @param translations by their names, of settings whose form also differs
 * @param without settings without a counterpart, each with what to do about it
 */
public record Aliases(Map<String, String> names, Map<String, Translation> translations, Map<String, String> without) {
    /** No other names. */
    public static final Aliases NONE = new Aliases(Map.of());

    /** A longer value is not repeated in the log. */
    private static final int MAX_SHOWN = 100;

    /** Gives our settings for one of another sink. */
    @FunctionalInterface
    public interface Translation {
        /**
         * Our settings.
         *
         * @param value of theirs, without blanks around it
         * @param props the whole configuration
         */
        Map<String, String> ours(String value, Map<String, String> props);
    }

    public Aliases {
        names = Map.copyOf(names);
        translations = Map.copyOf(translations);
        without = Map.copyOf(without);
    }

    /** Names alone. */
    public Aliases(Map<String, String> names) {
        this(names, Map.of(), Map.of());
    }

    /** The configuration with our names. If a setting has several names, ours counts. */
    public Map<String, String> resolve(Map<String, String> props) {
        Map<String, String> resolved = new HashMap<>(props); // Connect lets a setting be null
        used(props).forEach((theirs, ours) -> {
            resolved.remove(theirs);
            resolved.putIfAbsent(ours, props.get(theirs));
        });
        Map<String, Map<String, String>> translated = translated(props);
        resolved.keySet().removeAll(translated.keySet());
        translated.values().forEach(ours -> ours.forEach(resolved::putIfAbsent));
        return resolved;
    }

    /** Our settings for those of other sinks that have a different form here. */
    private Map<String, Map<String, String>> translated(Map<String, String> props) {
        Map<String, Map<String, String>> translated = new TreeMap<>();
        translations.forEach((theirs, translation) -> {
            String value = props.get(theirs);
            if (value != null) {
                translated.put(theirs, translation.ours(value.trim(), props));
            }
        });
        return translated;
    }

    /** The settings of other sinks in a configuration, and how each is read. */
    public Map<String, String> readings(Map<String, String> props) {
        Map<String, String> readings = new TreeMap<>(used(props));
        translated(props).forEach((theirs, ours) -> {
            if (!ours.isEmpty() && !ours.equals(Map.of(theirs, props.get(theirs)))) {
                readings.put(
                        theirs,
                        new TreeMap<>(ours)
                                .entrySet().stream().map(Aliases::shown).collect(Collectors.joining(", ")));
            }
        });
        return readings;
    }

    private static String shown(Map.Entry<String, String> setting) {
        return setting.getValue().length() > MAX_SHOWN ? setting.getKey() : setting.getKey() + "=" + setting.getValue();
    }

    /** The settings of a configuration that have no effect here, each with what to do about it. */
    public Map<String, String> withoutEffect(Map<String, String> props) {
        Map<String, String> found = new TreeMap<>(without);
        found.keySet().retainAll(props.keySet());
        return found;
    }

    /** The other names that a configuration uses, with our name for each. */
    public Map<String, String> used(Map<String, String> props) {
        Map<String, String> used = new TreeMap<>(names);
        used.keySet().retainAll(props.keySet());
        return used;
    }

    /** Settings of ours to which several names give different values. */
    public List<Problem> contradictions(Map<String, String> props) {
        Map<String, Map<String, String>> given = new TreeMap<>(); // values by names, by our names
        used(props).forEach((theirs, ours) -> give(given, ours, theirs, props.get(theirs)));
        Map<String, Map<String, String>> translated = translated(props);
        translated.forEach((theirs, settings) -> settings.forEach((ours, value) -> give(given, ours, theirs, value)));
        given.forEach((ours, values) -> {
            if (props.containsKey(ours) && !translated.containsKey(ours)) {
                values.put(ours, trimmed(props.get(ours)));
            }
        });
        List<Problem> problems = new ArrayList<>();
        given.forEach((ours, values) -> {
            boolean areWords = !used(props).containsValue(ours); // of a choice, which is read in any case
            Set<String> different = values.values().stream()
                    .map(value -> areWords ? value.toLowerCase(Locale.ROOT) : value)
                    .collect(Collectors.toSet());
            if (different.size() > 1) {
                problems.add(new Problem(ours, "has different values by " + values.keySet() + "; keep one of these"));
            }
        });
        return problems;
    }

    private static void give(Map<String, Map<String, String>> given, String ours, String theirs, String value) {
        given.computeIfAbsent(ours, key -> new TreeMap<>()).put(theirs, trimmed(value));
    }

    private static String trimmed(String value) {
        return value == null ? "" : value.trim();
    }
}
