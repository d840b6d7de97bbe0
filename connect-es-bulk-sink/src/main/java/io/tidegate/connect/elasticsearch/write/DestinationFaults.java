package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a lane has learnt about single destinations from failed items, so that one destination does not slow down the
 * others: which have no room although the server has, and which have no primary shard. One lane's thread.
 */
final class DestinationFaults {
    private final Set<String> crowded = new HashSet<>();
    private final Set<String> withoutPrimary = new HashSet<>();

    /** How much room the server had for a request. */
    enum Room {
        ENOUGH,
        /** Some destinations have no room; their own pauses slow them down. */
        NOT_EVERYWHERE,
        NONE
    }

    /** Whether the server has waited for the primary shard of one of these before without success. */
    boolean isWithoutPrimary(List<Document> documents) {
        return !withoutPrimary.isEmpty()
                && documents.stream().anyMatch(document -> withoutPrimary.contains(document.destination()));
    }

    /** Learns from the response to a request with these documents. */
    Room learn(List<Document> sent, List<ItemFailure> failures) {
        if (failures.isEmpty() && crowded.isEmpty() && withoutPrimary.isEmpty()) {
            return Room.ENOUGH;
        }
        Set<String> all = sent.stream().map(Document::destination).collect(Collectors.toSet());
        withoutPrimary.removeAll(all);
        withoutPrimary.addAll(destinations(sent, failures, ElasticsearchFailures::isWithoutPrimary));
        Set<String> rejected = destinations(sent, failures, ElasticsearchFailures::isForLackOfRoom);
        crowded.removeIf(destination -> all.contains(destination) && !rejected.contains(destination));
        if (rejected.isEmpty()) {
            return Room.ENOUGH;
        }
        if (rejected.size() < all.size()) {
            crowded.addAll(rejected);
        }
        return crowded.containsAll(rejected) ? Room.NOT_EVERYWHERE : Room.NONE;
    }

    private static Set<String> destinations(
            List<Document> sent, List<ItemFailure> failures, Predicate<ItemFailure> failed) {
        return failures.stream()
                .filter(failed)
                .map(item -> sent.get(item.position()).destination())
                .collect(Collectors.toSet());
    }
}
