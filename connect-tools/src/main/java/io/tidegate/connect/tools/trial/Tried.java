package io.tidegate.connect.tools.trial;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;

/**
 * What would happen to one record.
 *
 * @param place in Kafka, as {@code topic-partition@offset}
 * @param reason why it is not written, as the dead letter or Connect would say it, without the facts; empty if it is
 * @param facts those of the dead letter; empty if there is none
 * @param sketch what would be sent, as {@link io.tidegate.connect.common.spi.TrialWriter#describe} gives it; empty if the
 *     record never became a document
 * @param document its JSON, if it has one
 */
record Tried(
        String place,
        Outcome outcome,
        Optional<String> reason,
        Map<String, Object> facts,
        Map<String, Object> sketch,
        Optional<String> document) {
    Tried {
        requireNonNull(place, "place");
        requireNonNull(outcome, "outcome");
        requireNonNull(reason, "reason");
        requireNonNull(facts, "facts");
        requireNonNull(sketch, "sketch");
        requireNonNull(document, "document");
    }

    static Tried without(String place, Outcome outcome, Optional<String> reason) {
        return new Tried(place, outcome, reason, Map.of(), Map.of(), Optional.empty());
    }

    /** The table or index, if it is known. */
    Optional<String> destination() {
        return Optional.ofNullable(sketch.getOrDefault("table", sketch.get("index")))
                .map(Object::toString);
    }

    /** What equal refusals have in common: the dead letter's kind and code, or the failed stage. */
    String group() {
        StringBuilder group =
                new StringBuilder(facts.getOrDefault("kind", outcome.text()).toString());
        for (String fact : new String[] {"sqlstate", "constraint", "column", "type"}) {
            if (facts.containsKey(fact)) {
                group.append(' ').append(fact).append('=').append(facts.get(fact));
            }
        }
        return group.toString();
    }
}
