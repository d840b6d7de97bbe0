package io.tidegate.connect.tools.trial;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What would happen to all records.
 *
 * @param connector its name
 * @param target the server
 * @param records in the order in which they were read
 * @param taskFailure why the task fails for another reason than a refused record, if it does
 * @param notes what the user should know beside: what the server says against the settings, and what was not asked
 */
record TrialResult(
        String connector, String target, List<Tried> records, Optional<String> taskFailure, List<String> notes) {
    TrialResult {
        requireNonNull(connector, "connector");
        requireNonNull(target, "target");
        records = List.copyOf(records);
        requireNonNull(taskFailure, "taskFailure");
        notes = List.copyOf(notes);
    }

    Map<Outcome, Long> counts() {
        Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
        records.forEach(each -> counts.merge(each.outcome(), 1L, Long::sum));
        return counts;
    }

    /** Written records by table or index. */
    Map<String, Long> destinations() {
        Map<String, Long> counts = new TreeMap<>();
        records.stream()
                .filter(each -> each.outcome() == Outcome.WRITTEN)
                .forEach(each -> counts.merge(each.destination().orElse("?"), 1L, Long::sum));
        return counts;
    }

    /** Problems with equal reasons together, the most frequent first. */
    List<List<Tried>> problems() {
        Map<String, List<Tried>> groups = new LinkedHashMap<>();
        for (Tried each : records) {
            if (each.outcome().isProblem()) {
                groups.computeIfAbsent(each.group(), group -> new ArrayList<>()).add(each);
            }
        }
        return groups.values().stream()
                .sorted((a, b) -> Integer.compare(b.size(), a.size()))
                .toList();
    }

    boolean isClean() {
        return taskFailure.isEmpty()
                && records.stream().noneMatch(each -> each.outcome().isProblem());
    }
}
