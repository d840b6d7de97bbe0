package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.Entrant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The setting in which connectors differ, if it is one alone and always a number: what their rates can be drawn over. */
record VariedSetting(List<Entrant> entrants) {
    private static final String CONNECTOR = "connector";

    /** They have a place in charts of their own. */
    private static final Set<String> APART = Set.of("tasks.max", "name");

    Optional<String> key() {
        List<Entrant> connectors =
                entrants.stream().filter(one -> one.kind().equals(CONNECTOR)).toList();
        Set<String> keys = new TreeSet<>();
        connectors.forEach(one -> keys.addAll(one.config().keySet()));
        keys.removeAll(APART);
        List<String> differing =
                keys.stream().filter(key -> values(connectors, key).size() > 1).toList();
        return differing.size() == 1
                        && values(connectors, differing.get(0)).stream().allMatch(VariedSetting::isNumber)
                ? Optional.of(differing.get(0))
                : Optional.empty();
    }

    /** Of those that do not have the setting the empty text. */
    private static Set<String> values(List<Entrant> connectors, String key) {
        return connectors.stream()
                .map(one -> one.config().getOrDefault(key, ""))
                .collect(Collectors.toSet());
    }

    private static boolean isNumber(String value) {
        return value.matches("\\d{1,12}");
    }
}
