package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.CandidateInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The setting over which rates can be drawn: the only one in which connectors differ, if it is always a number. */
final class VariedSetting {
    /** They are drawn in charts of their own. */
    private static final Set<String> APART = Set.of("tasks.max", "name");

    private VariedSetting() {}

    static Optional<String> of(List<CandidateInfo> entrants) {
        List<CandidateInfo> connectors =
                entrants.stream().filter(CandidateInfo::isConnector).toList();
        Set<String> keys = new TreeSet<>();
        connectors.forEach(connector -> keys.addAll(connector.config().keySet()));
        keys.removeAll(APART);
        keys.removeIf(key -> values(connectors, key).size() < 2);
        return keys.size() == 1
                ? keys.stream()
                        .filter(key -> values(connectors, key).stream().allMatch(value -> value.matches("\\d{1,12}")))
                        .findFirst()
                : Optional.empty();
    }

    /** The empty text where a connector does not have the setting. */
    private static Set<String> values(List<CandidateInfo> connectors, String key) {
        return connectors.stream()
                .map(connector -> connector.config().getOrDefault(key, ""))
                .collect(Collectors.toSet());
    }
}
