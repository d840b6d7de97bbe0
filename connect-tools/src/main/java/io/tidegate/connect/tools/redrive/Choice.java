package io.tidegate.connect.tools.redrive;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which letters a user wants.
 *
 * @param connector that refused them
 * @param kinds of refusal; empty for all
 * @param facts with their values; all must fit
 * @param since the earliest time of their records
 * @param until the first time that is too late
 */
record Choice(
        String connector,
        List<String> kinds,
        Map<String, String> facts,
        Optional<Instant> since,
        Optional<Instant> until) {
    Choice {
        kinds = List.copyOf(kinds);
        facts = Map.copyOf(facts);
    }

    boolean isOfConnector(Letter letter) {
        return letter.connector().isEmpty() || letter.connector().equals(connector);
    }

    boolean fits(Letter letter) {
        return (kinds.isEmpty() || kinds.contains(letter.kind()))
                && facts.entrySet().stream()
                        .allMatch(fact -> fact.getValue().equals(letter.facts().get(fact.getKey())))
                && since.filter(letter.time()::isBefore).isEmpty()
                && until.filter(time -> !letter.time().isBefore(time)).isEmpty();
    }
}
