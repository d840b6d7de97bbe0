package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.CandidateInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the only setting that differs between connectors, if it is always a number. A chart shows the rate by it. */
final class VariedSetting {
    /** These settings always differ: the number of tasks has another chart, and the name is no number. */
    private static final Set<String> IGNORED = Set.of("tasks.max", "name");

    private VariedSetting() {}

    static Optional<String> of(List<CandidateInfo> entrants) {
        List<CandidateInfo> connectors =
                entrants.stream().filter(CandidateInfo::isConnector).toList();
        Set<String> keys = new TreeSet<>();
        connectors.forEach(connector -> keys.addAll(connector.config().keySet()));
        keys.removeAll(IGNORED);
        keys.removeIf(key -> values(connectors, key).size() < 2);
        return keys.size() == 1
                ? keys.stream()
                        .filter(key -> values(connectors, key).stream().allMatch(value -> value.matches("\\d{1,12}")))
                        .findFirst()
                : Optional.empty();
    }

    /** All values of a setting. A connector without the setting adds the empty text. */
    private static Set<String> values(List<CandidateInfo> connectors, String key) {
        return connectors.stream()
                .map(connector -> connector.config().getOrDefault(key, ""))
                .collect(Collectors.toSet());
    }
}
